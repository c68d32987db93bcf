"""Rows as Marquez writes them."""
