"""The shop's raw data as Python rows, and what writes them."""
