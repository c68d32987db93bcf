"""Questions on the command line: what lies upstream and downstream, what breaks, what ran, what isn't known."""
