"""One module for each command; each holds one `command`."""
