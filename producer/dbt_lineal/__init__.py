"""Lineal's dbt plugin."""
