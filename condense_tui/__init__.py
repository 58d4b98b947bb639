"""See what pi-condense did to a pi session."""

__version__ = "0.1.0"
