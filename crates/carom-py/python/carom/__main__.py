"""``python -m carom`` is the command line."""

from carom._cli import main

if __name__ == "__main__":
    main()
