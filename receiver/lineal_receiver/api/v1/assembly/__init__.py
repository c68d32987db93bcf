"""From ids to whole answers, a fixed number of statements whatever their number."""
