--- case: star over a join
--- schema: t(a INT, b INT); u(c INT)
select * from t cross join u
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> c: u.c IDENTITY

--- case: qualified star
--- schema: t(a INT, b INT); u(c INT)
select u.*, t.a from t cross join u
--> resolved
--> c: u.c IDENTITY
--> a: t.a IDENTITY

--- case: exclude, replace and rename
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT)
select * exclude (a) replace (b + 1 as b) rename (c as d) from t
--> resolved
--> B: T.B TRANSFORMATION
--> D: T.C IDENTITY

--- case: except and replace
--- dialect: bigquery
--- schema: t(a INT64, b INT64, c INT64)
select * except (a) replace (upper(b) as b) from t
--> resolved
--> b: t.b TRANSFORMATION
--> c: t.c IDENTITY

--- case: databricks except
--- dialect: databricks
--- schema: t(a INT, b INT); u(c INT, b INT)
select t.* except (b), u.* from t join u on t.b = u.b
--> resolved
--> a: t.a IDENTITY
--> c: u.c IDENTITY
--> b: u.b IDENTITY
--> rows: t.b JOIN, u.b JOIN

--- case: ilike
--- dialect: snowflake
--- schema: T(ID INT, NAME TEXT, NAME2 TEXT)
select * ilike 'name%' from t
--> resolved
--> NAME: T.NAME IDENTITY
--> NAME2: T.NAME2 IDENTITY

--- case: exclude one without parentheses
--- dialect: duckdb
--- schema: t(a INT, b INT)
select * exclude a from t
--> resolved
--> b: t.b IDENTITY

--- case: columns with a pattern
--- dialect: duckdb
--- schema: t(id INT, amount_eur INT, amount_usd INT)
select id, columns('amount_.*') from t
--> resolved
--> id: t.id IDENTITY
--> amount_eur: t.amount_eur IDENTITY
--> amount_usd: t.amount_usd IDENTITY

--- case: an expression over columns
--- dialect: duckdb
--- schema: t(id INT, x INT, y INT)
select max(columns(* exclude (id))) from t
--> resolved
--> x: t.x AGGREGATION
--> y: t.y AGGREGATION

--- case: columns by lambda and like
--- dialect: duckdb
--- schema: t(id INT, xa INT, xb INT)
select columns(c -> c like 'x%') from t
--> resolved
--> xa: t.xa IDENTITY
--> xb: t.xb IDENTITY

--- case: star like
--- dialect: duckdb
--- schema: t(id INT, xa INT, xb INT)
select * like 'x%' from t
--> resolved
--> xa: t.xa IDENTITY
--> xb: t.xb IDENTITY

--- case: columns by list
--- dialect: duckdb
--- schema: t(id INT, xa INT, xb INT)
select columns(['id', 'xb']) from t
--> resolved
--> id: t.id IDENTITY
--> xb: t.xb IDENTITY

--- case: duplicate outputs
--- schema: t(id INT, a INT); u(id INT, b INT)
select * from t join u on t.id = u.id
--> resolved
--> id: t.id IDENTITY
--> a: t.a IDENTITY
--> id: u.id IDENTITY
--> b: u.b IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: duplicate outputs of a derived table are ambiguous
--- schema: t(id INT, a INT); u(id INT, b INT)
select id, a from (select * from t join u on t.id = u.id) x
--> partial
--> id: ambiguous_column
--> a: t.a IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: the first of duplicates in duckdb
--- dialect: duckdb
--- schema: t(id INT, a INT); u(id INT, b INT)
select id, b from (select * from t join u on t.id = u.id) x
--> resolved
--> id: t.id IDENTITY
--> b: u.b IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: star without schema
select * from t
--> unresolved star_without_schema

--- case: named columns behind a star without schema
with x as (select * from t), y as (select *, a + 1 as a1 from x) select b, a1 from y
--> resolved
--> b: t.b IDENTITY
--> a1: t.a TRANSFORMATION

--- case: star except without schema
with x as (select * exclude (secret) from t) select secret, open from x
--> partial
--> secret: unknown_column
--> open: t.open IDENTITY

--- case: star replace and rename without schema
--- dialect: snowflake
with x as (select * replace (upper(n) as n) rename (a as b) from t) select n, b, c, a from x
--> partial
--> N: t.N TRANSFORMATION
--> B: t.A IDENTITY
--> C: t.C IDENTITY
--> A: unknown_column

--- case: stars of two unknown tables
with x as (select t.*, u.* from t join u on t.id = u.id) select c from x
--> unresolved
--> c: ambiguous_column
--> rows: t.id JOIN, u.id JOIN

--- case: known columns beside a star without schema
with x as (select t.*, u.v from t join u on t.id = u.id) select v, w from x
--> resolved
--> v: u.v IDENTITY
--> w: t.w IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: union of stars without schema
select id, v from (select * from a union all select * from b) x
--> unresolved
--> id: star_without_schema; a.id IDENTITY
--> v: star_without_schema; a.v IDENTITY

--- case: union of stars of which one is known
--- schema: a(id INT, v INT)
select * from a union all select * from b
--> unresolved
--> id: star_without_schema; a.id IDENTITY
--> v: star_without_schema; a.v IDENTITY

--- case: columns before and after a star without schema
select p, q, z from (select a as p, t.*, b as q from t union all select c, u.*, d from u) x
--> partial
--> p: t.a IDENTITY, u.c IDENTITY
--> q: t.b IDENTITY, u.d IDENTITY
--> z: star_without_schema; t.z IDENTITY

--- case: union of a star over a CTE without schema
with x as (select id, v from a), y as (select id, v from b) select * from x union all select * from y
--> resolved
--> id: a.id IDENTITY, b.id IDENTITY
--> v: a.v IDENTITY, b.v IDENTITY

--- case: distinct star without schema
select distinct * from t
--> unresolved star_without_schema

--- case: using with unknown tables
select id, t.a, u.b from t join u using (id)
--> resolved
--> id: t.id IDENTITY
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: several unknown tables make a bare name ambiguous
select a, t.b from t join u on t.id = u.id
--> partial
--> a: ambiguous_column
--> b: t.b IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: a name shown elsewhere to be one table's is that table's
select t.a, a as again from t join u on t.id = u.id
--> resolved
--> a: t.a IDENTITY
--> again: t.a IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: a known table decides for the unknown one
--- schema: t(id INT, a INT)
select a, b from t join u on t.id = u.id
--> resolved
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: star over an empty known table
--- schema: t()
select * from t
--> unresolved star_without_schema

--- case: a name shown only later to be one table's
select a as first, t.a as second from t join u on t.id = u.id where u.b = b
--> resolved
--> first: t.a IDENTITY
--> second: t.a IDENTITY
--> rows: t.id JOIN, u.id JOIN, u.b FILTER

--- case: an outer name in a condition without schema
select (select max(v) from u where uk = k) as x, (select max(u.v) from u where u.uk = t.k) as y from t
--> partial
--> x: ambiguous_column
--> y: u.v AGGREGATION, u.uk FILTER, t.k FILTER

--- case: a star over an array of unknown elements
--- dialect: bigquery
--- schema: t(id INT64)
select id, i from t, unnest(u.items) as i cross join (select * from unnest(x.arr) as e) q
--> partial
--> id: t.id IDENTITY
--> i: unknown_relation

--- case: names built of groups of a pattern
--- dialect: duckdb
--- schema: t(net_eur INT, gross_eur INT, id INT)
select columns('(net|gross)_(.*)') as '\2_\1' from t
--> resolved
--> eur_net: t.net_eur IDENTITY
--> eur_gross: t.gross_eur IDENTITY

--- case: columns by conditions on their names
--- dialect: duckdb
--- schema: t(ab INT, b INT, x INT)
select columns(lambda c: c like 'a%' or c in ('x', 'y') and not c ~ 'z'), columns(c -> c not like 'a%'), * not like 'a%', * glob 'a*' from t where columns(*) > 1
--> resolved
--> ab: t.ab IDENTITY
--> x: t.x IDENTITY
--> b: t.b IDENTITY
--> x: t.x IDENTITY
--> b: t.b IDENTITY
--> x: t.x IDENTITY
--> ab: t.ab IDENTITY
--> rows: t.ab FILTER, t.b FILTER, t.x FILTER

--- case: applied to every column
--- dialect: clickhouse
--- schema: t(a_id Int32, b_id Int32, c Int32)
select * apply(sum), columns('_id') apply(toString) apply(max) from t
--> resolved
--> sum(a_id): t.a_id AGGREGATION
--> sum(b_id): t.b_id AGGREGATION
--> sum(c): t.c AGGREGATION
--> max(toString(a_id)): t.a_id AGGREGATION
--> max(toString(b_id)): t.b_id AGGREGATION

--- case: patterns, names and functions over unknown columns
--- dialect: duckdb
select q.AX, q.x, r.el, m.y from (select columns('^a') from t) q, (select columns(lambda c: c = 'id') as el from u) r, (select max(columns(*)) from v) m
--> partial
--> AX: t.AX IDENTITY
--> x: unknown_column
--> el: star_without_schema
--> y: star_without_schema

--- case: star with escaped pattern
--- dialect: duckdb
--- schema: t(v_a INT, vb INT, c INT)
select * like 'v\_%' escape '\' from t
--> resolved
--> v_a: t.v_a IDENTITY

--- case: star without a column of one relation
--- dialect: duckdb
--- schema: t(id INT, a INT); u(id INT, b INT)
select * exclude (u.id, t.a), t.* exclude (t.id) from t join u on t.id = u.id
--> resolved
--> id: t.id IDENTITY
--> b: u.b IDENTITY
--> a: t.a IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: a relation's star by pattern
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT, c INT, s VARCHAR); u(x INT, y INT)
select t.* like 'a%', t.* not like 'a%', u.* similar to 'x|z', columns(t.* exclude (id, s)) + id from t, u
--> resolved
--> a: t.a IDENTITY
--> id: t.id IDENTITY
--> b: t.b IDENTITY
--> c: t.c IDENTITY
--> s: t.s IDENTITY
--> x: u.x IDENTITY
--> a: t.a TRANSFORMATION, t.id TRANSFORMATION
--> b: t.b TRANSFORMATION, t.id TRANSFORMATION
--> c: t.c TRANSFORMATION, t.id TRANSFORMATION

--- case: names built of whole names and of groups that aren't there
--- dialect: duckdb
--- schema: o(id INTEGER, amt_a INTEGER, amt_b INTEGER)
select columns(*) as 'x_\0', columns(lambda c: c like 'amt%') as '\0_y', columns('amt_(.)') as '\1_\0', columns('amt_(.)') as 'z\2' from o
--> resolved
--> x_id: o.id IDENTITY
--> x_amt_a: o.amt_a IDENTITY
--> x_amt_b: o.amt_b IDENTITY
--> amt_a_y: o.amt_a IDENTITY
--> amt_b_y: o.amt_b IDENTITY
--> a_amt_a: o.amt_a IDENTITY
--> b_amt_b: o.amt_b IDENTITY
--> z: o.amt_a IDENTITY
--> z: o.amt_b IDENTITY
