"""One thing that can be mended a module; each has one function, from a draft to an `Outcome`."""
