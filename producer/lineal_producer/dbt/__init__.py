"""What dbt tells us: its events while it runs, its artifacts afterwards."""
