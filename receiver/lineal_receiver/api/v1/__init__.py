"""Marquez's API."""
