--- case: CTE named like a real table wins
--- schema: t(a INT, b INT); orders(id INT)
with orders as (select a as id, b as x from t) select id, x from orders
--> resolved
--> id: t.a IDENTITY
--> x: t.b IDENTITY

--- case: CTE over the table of its own name
--- schema: orders(id INT, v INT)
with orders as (select id, v + 1 as v from orders) select id, v from orders
--> resolved
--> id: orders.id IDENTITY
--> v: orders.v TRANSFORMATION

--- case: qualified name is never a CTE
--- schema: s.orders(id INT); t(a INT)
with orders as (select a as id from t) select o.id from s.orders o
--> resolved
--> id: s.orders.id IDENTITY

--- case: inner WITH hides the outer one only inside
--- schema: t(a INT); u(a INT)
with x as (select a from t) select (select max(a) from (with x as (select a from u) select a from x) q) as m, x.a from x
--> resolved
--> m: u.a AGGREGATION
--> a: t.a IDENTITY

--- case: CTE with a column list
--- schema: t(a INT, b INT)
with x(p, q) as (select a, b from t) select q, p from x
--> resolved
--> q: t.b IDENTITY
--> p: t.a IDENTITY

--- case: chain of CTEs without schema
with a as (select id, amount from raw.orders), b as (select id, sum(amount) as total from a group by id), c as (select b.*, total * 2 as twice from b) select * from c
--> resolved
--> id: raw.orders.id IDENTITY
--> total: raw.orders.amount AGGREGATION
--> twice: raw.orders.amount AGGREGATION
--> rows: raw.orders.id GROUP_BY

--- case: star through CTEs
--- schema: t(a INT, b INT)
with x as (select * from t), y as (select *, a + b as c from x) select * from y
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> c: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: derived table with column aliases
--- schema: t(a INT, b INT)
select q, p from (select a, b from t) as d(p, q)
--> resolved
--> q: t.b IDENTITY
--> p: t.a IDENTITY

--- case: table with column aliases
--- dialect: postgres
--- schema: t(a INT, b INT, c INT)
select x, y, c from t as d(x, y)
--> resolved
--> x: t.a IDENTITY
--> y: t.b IDENTITY
--> c: t.c IDENTITY

--- case: nested derived tables
--- schema: t(a INT)
select z from (select y as z from (select x as y from (select a as x from t) i) j) k
--> resolved
--> z: t.a IDENTITY

--- case: scalar subquery in a projection
--- schema: t(a INT, k INT); u(v INT, k INT, w INT)
select a, (select max(v) from u where u.k = t.k and w > 1) as m from t where a > 1
--> resolved
--> a: t.a IDENTITY
--> m: u.v AGGREGATION, u.k FILTER, t.k FILTER, u.w FILTER
--> rows: t.a FILTER

--- case: correlated column in a projection
--- schema: t(a INT, k INT); u(v INT, k INT)
select (select v + t.a from u where u.k = t.k) as x from t
--> resolved
--> x: u.v TRANSFORMATION, t.a TRANSFORMATION, u.k FILTER, t.k FILTER

--- case: correlated bare name
--- schema: t(a INT, k INT); u(v INT, uk INT)
select (select max(v) from u where uk = k) as x from t
--> resolved
--> x: u.v AGGREGATION, u.uk FILTER, t.k FILTER

--- case: exists and in in a projection
--- schema: t(a INT, k INT); u(v INT, uk INT)
select exists (select 1 from u where uk = k) as e, a in (select v from u where uk > 1) as i from t
--> resolved
--> e: u.uk FILTER, t.k FILTER
--> i: t.a TRANSFORMATION, u.v TRANSFORMATION, u.uk FILTER

--- case: lateral
--- dialect: postgres
--- schema: t(id INT, k INT); u(v INT, k INT)
select t.id, x.m from t, lateral (select max(v) as m from u where u.k = t.k) x
--> resolved
--> id: t.id IDENTITY
--> m: u.v AGGREGATION
--> rows: u.k FILTER, t.k FILTER

--- case: cross apply
--- dialect: tsql
--- schema: t(id INT, k INT); u(v INT, k INT)
select t.id, x.m from t cross apply (select max(v) as m from u where u.k = t.k) x
--> resolved
--> id: t.id IDENTITY
--> m: u.v AGGREGATION
--> rows: u.k FILTER, t.k FILTER

--- case: derived tables don't see their neighbours
--- schema: t(a INT, b INT); u(a INT, c INT)
select x.s from t join (select sum(a) as s, c from u group by c) x on x.c = t.b
--> resolved
--> s: u.a AGGREGATION
--> rows: u.c GROUP_BY, u.c JOIN, t.b JOIN

--- case: recursive CTE follows the anchor
--- dialect: postgres
--- schema: e(id INT, boss INT, name TEXT)
with recursive r(id, root, depth) as (select id, name, 0 from e where boss is null union all select e.id, r.root || '>' || e.name, r.depth + 1 from e join r on e.boss = r.id) select id, root, depth from r
--> resolved
--> id: e.id IDENTITY
--> root: e.name IDENTITY, e.name TRANSFORMATION
--> depth: constant
--> rows: e.boss FILTER, e.boss JOIN, e.id JOIN

--- case: recursive CTE that swaps its columns
--- dialect: postgres
--- schema: t(a INT, b INT, c INT)
with recursive r(x, y, z) as (select a, b, c from t union all select y, z, x from r) select x, y, z from r
--> resolved
--> x: t.a IDENTITY, t.b IDENTITY, t.c IDENTITY
--> y: t.b IDENTITY, t.c IDENTITY, t.a IDENTITY
--> z: t.c IDENTITY, t.a IDENTITY, t.b IDENTITY

--- case: recursion without the word
--- dialect: snowflake
--- schema: E(ID INT, BOSS INT)
with r as (select id, boss from e where boss is null union all select e.id, r.boss from e join r on e.boss = r.id) select * from r
--> resolved
--> ID: E.ID IDENTITY
--> BOSS: E.BOSS IDENTITY
--> rows: E.BOSS FILTER, E.BOSS JOIN, E.ID JOIN

--- case: union by position
--- schema: t(a INT, b INT); u(x INT, y INT)
select a, b from t union all select y, x from u
--> resolved
--> a: t.a IDENTITY, u.y IDENTITY
--> b: t.b IDENTITY, u.x IDENTITY

--- case: union with a constant branch
--- schema: t(a INT, b INT)
select a, b from t union all select 1, null
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY

--- case: union distinct
--- schema: t(a INT); u(x INT)
select a from t union select x from u order by a
--> resolved
--> a: t.a IDENTITY, u.x IDENTITY
--> rows: t.a GROUP_BY, u.x GROUP_BY, t.a SORT, u.x SORT

--- case: union of three with filters
--- schema: t(a INT, f INT); u(x INT, f INT); v(y INT)
select a from t where f = 1 union all select x from u where f = 2 union all select y from v
--> resolved
--> a: t.a IDENTITY, u.x IDENTITY, v.y IDENTITY
--> rows: t.f FILTER, u.f FILTER

--- case: intersect and except
--- schema: t(a INT); u(x INT); v(y INT)
select a from t intersect select x from u except select y from v
--> resolved
--> a: t.a IDENTITY
--> rows: u.x FILTER, t.a GROUP_BY, v.y FILTER

--- case: except all
--- dialect: postgres
--- schema: t(a INT, b INT); u(x INT, y INT)
select a, b from t except all select x, y from u
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> rows: u.x FILTER, u.y FILTER, t.a FILTER, t.b FILTER

--- case: union by name
--- dialect: duckdb
--- schema: t(a INT, b INT); u(b INT, c INT)
select a, b from t union all by name select c, b from u
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY, u.b IDENTITY
--> c: u.c IDENTITY

--- case: branches that differ in width
--- schema: t(a INT, b INT); u(x INT)
select a, b from t union all select x from u
--> partial
--> a: t.a IDENTITY, u.x IDENTITY
--> b: parser_error; t.b IDENTITY

--- case: values
--- dialect: postgres
select x, y from (values (1, 'a'), (2, 'b')) as v(x, y)
--> resolved
--> x: constant
--> y: constant

--- case: values with columns of an outer query
--- dialect: postgres
--- schema: t(a INT, b INT)
select v.x from t, lateral (values (a), (b)) v(x)
--> resolved
--> x: t.a IDENTITY, t.b IDENTITY

--- case: no FROM
select 1 as a, 2 + 3 as b
--> resolved
--> a: constant
--> b: constant

--- case: alias used by a later projection
--- dialect: snowflake
--- schema: T(A INT, B INT)
select a + 1 as x, x * b as y from t where x > 3
--> resolved
--> X: T.A TRANSFORMATION
--> Y: T.A TRANSFORMATION, T.B TRANSFORMATION
--> rows: T.A FILTER

--- case: a column hides an alias
--- dialect: redshift
--- schema: t(a int, b int)
select b as a, a + 1 as c from t
--> resolved
--> a: t.b IDENTITY
--> c: t.a TRANSFORMATION

--- case: no lateral aliases in postgres
--- dialect: postgres
--- schema: t(a int)
select a + 1 as x, x * 2 as y from t
--> partial
--> x: t.a TRANSFORMATION
--> y: unknown_column

--- case: FROM first
--- dialect: duckdb
--- schema: t(a INT, b INT)
from t select b where a > 1
--> resolved
--> b: t.b IDENTITY
--> rows: t.a FILTER

--- case: parenthesised join
--- dialect: postgres
--- schema: a(k INT, x INT); b(k INT, y INT); c(k INT, z INT)
select x, y, z from (a join b using (k)) join c using (k)
--> resolved
--> x: a.x IDENTITY
--> y: b.y IDENTITY
--> z: c.z IDENTITY
--> rows: a.k JOIN, b.k JOIN, c.k JOIN

--- case: parenthesised union with order
--- dialect: postgres
--- schema: t(a INT, b INT); u(x INT, y INT)
(select a, b from t order by b limit 3) union all (select x, y from u) order by 1
--> resolved
--> a: t.a IDENTITY, u.x IDENTITY
--> b: t.b IDENTITY, u.y IDENTITY
--> rows: t.b SORT, t.a SORT, u.x SORT

--- case: self join
--- schema: e(id INT, boss INT, name TEXT)
select l.name, r.name as boss from e l join e r on l.boss = r.id
--> resolved
--> name: e.name IDENTITY
--> boss: e.name IDENTITY
--> rows: e.boss JOIN, e.id JOIN

--- case: whole row as a value
--- dialect: postgres
--- schema: t(a INT, b INT)
select to_json(t) as j, (t).a as a, count(t.*) as n from t
--> resolved
--> j: t.a TRANSFORMATION, t.b TRANSFORMATION
--> a: t.a IDENTITY
--> n: t.a AGGREGATION MASKED, t.b AGGREGATION MASKED

--- case: table in two databases
--- dialect: snowflake
--- schema: A.S.T(X INT); B.S.T(Y INT)
select l.x, r.y from a.s.t l join b.s.t r on l.x = r.y
--> resolved
--> X: A.S.T.X IDENTITY
--> Y: B.S.T.Y IDENTITY
--> rows: A.S.T.X JOIN, B.S.T.Y JOIN

--- case: defaults complete a name
--- dialect: snowflake
--- schema: DB.S.T(A INT); DB.OTHER.T(B INT)
--- default: DB.S
select a from t
--> resolved
--> A: DB.S.T.A IDENTITY

--- case: one failing branch hides only what is behind it
--- schema: t(a INT, b INT); u(x INT)
select t.a, t.missing as m, u.x + t.missing as xm from t join u on t.b = u.x
--> partial
--> a: t.a IDENTITY
--> m: unknown_column
--> xm: unknown_column; u.x TRANSFORMATION
--> rows: t.b JOIN, u.x JOIN

--- case: alias of an unknown qualifier
--- schema: t(a INT)
select q.a, a as ok from t
--> partial
--> a: unknown_relation
--> ok: t.a IDENTITY

--- case: recurring rows are the CTE's
--- dialect: duckdb
--- schema: e(id INT, mgr INT)
with recursive c(id, m) using key (id) as (select id, mgr from e union select c.m, e.mgr from c, recurring.c as r, e where e.id = r.m) select * from c
--> resolved
--> id: e.id IDENTITY, e.mgr IDENTITY
--> m: e.mgr IDENTITY
--> rows: e.id FILTER, e.mgr FILTER, e.id GROUP_BY, e.mgr GROUP_BY

--- case: recursion inside a recursion of the same name
--- dialect: duckdb
--- schema: t(id INT, a INT)
with recursive r as (select n + 1 as n from (with recursive r as (select a as n from t union all select n + 1 from r where n < 3) select n from r) q union all select n + 2 from r where n < 9) select n from r
--> resolved
--> n: t.a TRANSFORMATION
--> rows: t.a FILTER

--- case: a recursive CTE without a start
--- dialect: postgres
--- schema: t(id INT, a INT)
with recursive r as (select a from r) select a from r
--> unresolved unsupported_statement
--> a: unsupported_statement

--- case: several starts and several steps
--- dialect: tsql
--- schema: t(id INT, up INT); u(id INT, up INT)
with r (id, up) as (select id, up from t union all select t.up, r.id from t join r on r.up = t.id union all select u.id, u.up from u union all select r.up, u.up from u join r on r.id = u.id) select id, up from r
--> resolved
--> id: t.id IDENTITY, u.id IDENTITY, t.up IDENTITY, u.up IDENTITY
--> up: t.up IDENTITY, u.up IDENTITY, t.id IDENTITY, u.id IDENTITY
--> rows: t.up JOIN, u.up JOIN, t.id JOIN, u.id JOIN

--- case: pipe AS
--- dialect: bigquery
--- schema: x(id INT64, v INT64); y(id INT64, w INT64)
from x as t |> aggregate sum(v) as s group by id |> as a |> join y as b on a.id = b.id |> select a.id, s, b.w
--> resolved
--> id: x.id IDENTITY
--> s: x.v AGGREGATION
--> w: y.w IDENTITY
--> rows: x.id GROUP_BY, x.id JOIN, y.id JOIN

--- case: BigQuery unions by name: all, left's, common and listed columns
--- dialect: bigquery
--- schema: t(id INT64, a INT64, z INT64); u(a INT64, b INT64, z INT64)
with l as (select * from t left outer union all by name select * from u), c as (select * from t union all corresponding select * from u), o as (select * from t full outer union distinct by name on (a, b) select * from u), e as (select * from t except distinct by name select z, id, a from t)
select l.*, c.a as ca, c.z as cz, o.*, e.a as ea from l, c, o, e
--> resolved
--> id: t.id IDENTITY
--> a: t.a IDENTITY, u.a IDENTITY
--> z: t.z IDENTITY, u.z IDENTITY
--> ca: t.a IDENTITY, u.a IDENTITY
--> cz: t.z IDENTITY, u.z IDENTITY
--> a: t.a IDENTITY, u.a IDENTITY
--> b: u.b IDENTITY
--> ea: t.a IDENTITY
--> rows: t.a GROUP_BY, u.a GROUP_BY, u.b GROUP_BY, t.z FILTER, t.id FILTER, t.a FILTER, t.id GROUP_BY, t.z GROUP_BY
