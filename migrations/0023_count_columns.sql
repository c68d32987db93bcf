-- How many columns of a build's edge set have which status, for which reason: [[status, reason, n], …], by status and reason, without a reason first.
alter table build add column counts jsonb not null default '[]';
update build as b
set counts = known.counts
from (
    select
        c.edge_set_id,
        jsonb_agg(jsonb_build_array(c.status, c.reason, c.n) order by c.status collate "C", c.reason collate "C" nulls first) as counts
    from (
        select edge_set_id, status, reason, count(*) as n
        from edge_set_column
        group by edge_set_id, status, reason
    ) as c
    group by c.edge_set_id
) as known
where known.edge_set_id = b.edge_set_id;
alter table build alter column counts drop default;
