"""`python -m condense_tui`."""

from condense_tui.cli import main

if __name__ == "__main__":
    main()
