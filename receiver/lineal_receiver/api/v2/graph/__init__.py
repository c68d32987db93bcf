"""The graph around a node: what is walked, and what is shown of it."""
