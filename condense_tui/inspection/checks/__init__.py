"""What can be found in a session, a kind a module; each check yields `Finding`s."""
