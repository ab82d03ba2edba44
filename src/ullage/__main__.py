"""`python -m ullage` is the command line."""

from ullage.cli.main import main

if __name__ == "__main__":
    main()
