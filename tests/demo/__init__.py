"""The parts of the bundled session, which `tests.make_demo` puts together."""
