-- A run is of the future if what dates it is: its deciding end, or, while it is open, all its events.

-- seen_at: its newest event that isn't from the future. end_future: the deciding end is.
alter table run add column seen_at timestamptz, add column end_future boolean not null default false;
update run set seen_at = last_at where not placeholder and not future;
update run set end_future = end_rank is not null where future;
