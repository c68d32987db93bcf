--- case: CTE that hides a table
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders intersect select id from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.id FILTER, orders.id GROUP_BY

--- case: JOIN USING
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> name: people.name IDENTITY
--> rows: orders.id JOIN, people.id JOIN

--- case: subquery in a condition
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: LATERAL
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, x.top from orders o cross join lateral (select max(p.city) as top from people p where p.id = o.customer) x
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION
--> rows: people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, tag from t cross join unnest(tags) as u(tag)
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: ordinals of elements
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, tag, n from t cross join unnest(tags) with ordinality as u(tag, n)
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> n: constant

--- case: fields of an array's structs
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, sku from t cross join unnest(items) as u(sku, qty)
--> resolved
--> id: t.id IDENTITY
--> sku: t.items.sku TRANSFORMATION

--- case: field of a struct
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, place.city as city from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION

--- case: all fields of a struct
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, place.* from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION
--> zip: t.place.zip TRANSFORMATION

--- case: path into JSON
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, json_extract_scalar(doc, '$.a.b') as x from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION

--- case: rows of JSON
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select t.id, j.n from t, json_table(doc, 'lax $' columns (n int path 'lax $.n')) as j
--> resolved
--> id: t.id IDENTITY
--> n: t.doc TRANSFORMATION

--- case: named window
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount AGGREGATION, orders.customer WINDOW, orders.placed WINDOW
--> n: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, sum(amount) filter (where status = 1) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: order inside an aggregate
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, array_agg(amount order by placed) as list from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> list: orders.amount AGGREGATION, orders.placed SORT
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: recursive CTE
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with recursive r (id, boss, depth) as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: VALUES
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) as v (n, k) join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, n from orders o cross join unnest(sequence(1, o.amount)) as s(n)
--> resolved
--> id: orders.id IDENTITY
--> n: orders.amount TRANSFORMATION

--- case: table function of one's own
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select x from table(my_rows(3)) as f(x)
--> unresolved
--> x: opaque_function

--- case: lambda
--- dialect: trino
--- schema: t(id INT, tags ARRAY(VARCHAR), items ARRAY(ROW(sku VARCHAR, qty INT)), place ROW(city VARCHAR, zip INT), doc JSON)
select id, filter(tags, x -> x <> cast(id as varchar)) as l from t
--> resolved
--> id: t.id IDENTITY
--> l: t.tags TRANSFORMATION, t.id TRANSFORMATION

--- case: outputs of one name
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.id IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> _col0: orders.amount TRANSFORMATION
--> _col1: orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: trino
--- schema: Odd T(A b INT, x.y INT)
select "A b", "x.y" as z from "Odd T"
--> resolved
--> A b: Odd T.A b IDENTITY
--> z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: trino
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> ID: orders.id IDENTITY
--> Total: orders.amount IDENTITY
--> rows: orders.status FILTER

--- case: INSERT with columns
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: MERGE
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> name: orders.amount IDENTITY, orders.placed IDENTITY
--> id: orders.customer IDENTITY
--> rows: people.id JOIN, orders.customer JOIN, orders.status FILTER

--- case: a table of the same text
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table step as select id, amount + 1 as more from orders; create table target as select more from step
--> partial unsupported_statement -> target
--> more: orders.amount TRANSFORMATION

--- case: alias used by a later output
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1 as more, more * 2 as twice from orders
--> partial
--> more: orders.amount TRANSFORMATION
--> twice: unknown_column

--- case: MATCH_RECOGNIZE
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * from orders match_recognize (partition by customer order by placed measures last(up.amount) as top one row per match pattern (up+) define up as amount > 1)
--> resolved
--> customer: orders.customer IDENTITY
--> top: orders.amount TRANSFORMATION
--> rows: orders.customer WINDOW, orders.placed SORT, orders.amount FILTER

--- case: SQL put together as text
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute prepared_query
--> unresolved dynamic_sql

--- case: SQL as a constant text
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute immediate 'select id from orders'
--> resolved
--> id: orders.id IDENTITY

--- case: procedure
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: trino
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: trino
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: trino
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN
