-- What is deleted under all of its names (`gone`, 0003) is `hidden`, too: in no list and no total, so that neither looks at it.
update dataset as d set hidden = true from gone as g where g.entity_id = d.id and not d.hidden;
update job_state as j set hidden = true from gone as g where g.entity_id = j.job_id and not j.hidden;

update total as t
set n = coalesce(c.n, 0)
from (
    select k.scope, k.kind, coalesce(l.n, 0) as n
    from total as k
    left join (
        select namespace_id as scope, 'jobs' as kind, count(*) as n from job_state where not hidden group by 1
        union all
        select '00000000-0000-0000-0000-000000000000', 'jobs', count(*) from job_state where not hidden
        union all
        select namespace_id, 'datasets', count(*) from dataset where not hidden group by 1
        union all
        select '00000000-0000-0000-0000-000000000000', 'datasets', count(*) from dataset where not hidden
    ) as l on l.scope = k.scope and l.kind = k.kind
    where k.kind in ('jobs', 'datasets')
) as c
where t.scope = c.scope and t.kind = c.kind and t.n <> c.n;
delete from total where n = 0 and kind in ('jobs', 'datasets');
