--- case: CTE that hides a table
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders intersect select id from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.id FILTER, orders.id GROUP_BY

--- case: JOIN USING
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> name: people.name IDENTITY
--> rows: orders.id JOIN, people.id JOIN

--- case: subquery in a condition
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: redshift
--- schema: t(id INT, tags SUPER, items SUPER, place SUPER, doc SUPER)
select t.id, tag from t, t.tags as tag
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: ordinals of elements
--- dialect: redshift
--- schema: t(id INT, tags SUPER, items SUPER, place SUPER, doc SUPER)
select t.id, tag, n from t, t.tags as tag at n
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> n: constant

--- case: fields of an array's structs
--- dialect: redshift
--- schema: t(id INT, tags SUPER, items SUPER, place SUPER, doc SUPER)
select t.id, i.sku from t, t.items as i
--> resolved
--> id: t.id IDENTITY
--> sku: t.items TRANSFORMATION

--- case: field of a struct
--- dialect: redshift
--- schema: t(id INT, tags SUPER, items SUPER, place SUPER, doc SUPER)
select t.id, t.place.city as city from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place TRANSFORMATION

--- case: path into JSON
--- dialect: redshift
--- schema: t(id INT, tags SUPER, items SUPER, place SUPER, doc SUPER)
select id, doc.a.b as x from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION

--- case: rows of JSON
--- dialect: redshift
--- schema: t(id INT, tags SUPER, items SUPER, place SUPER, doc SUPER)
select t.id, k, v from t, unpivot t.doc as v at k
--> resolved
--> id: t.id IDENTITY
--> k: t.doc TRANSFORMATION
--> v: t.doc TRANSFORMATION

--- case: PIVOT
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * from (select customer, status, amount from orders) pivot (sum(amount) for status in (1 as one, 2 as two))
--> resolved
--> customer: orders.customer IDENTITY
--> one: orders.amount AGGREGATION, orders.status CONDITIONAL
--> two: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: UNPIVOT
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, what, n from orders unpivot (n for what in (amount, placed))
--> resolved
--> id: orders.id IDENTITY
--> what: constant
--> n: orders.amount IDENTITY, orders.placed IDENTITY

--- case: QUALIFY
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders qualify row_number() over (partition by customer order by placed) = 1
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, sum(case when status = 1 then amount end) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.status CONDITIONAL, orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY

--- case: order inside an aggregate
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, listagg(amount, ',') within group (order by placed) as list from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> list: orders.amount AGGREGATION, orders.placed SORT
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: GROUP BY ALL
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status + 1 as s, sum(amount) as total from orders group by all
--> resolved
--> customer: orders.customer IDENTITY
--> s: orders.status TRANSFORMATION
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: recursive CTE
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with recursive r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: VALUES
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) as v (n, k) join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select n from generate_series(1, 3) as n
--> resolved
--> n: constant

--- case: star without some
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * exclude (boss) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name IDENTITY
--> city: people.city IDENTITY

--- case: outputs of one name
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.id IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> ?column?: orders.amount TRANSFORMATION
--> max: orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: redshift
--- schema: Odd T(A b INT, x.y INT)
select "A b", "x.y" as z from "Odd T"
--> resolved
--> a b: Odd T.A b IDENTITY
--> z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: redshift
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount IDENTITY
--> rows: orders.status FILTER

--- case: INSERT with columns
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: MERGE
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> name: orders.amount IDENTITY, orders.placed IDENTITY
--> id: orders.customer IDENTITY
--> rows: people.id JOIN, orders.customer JOIN, orders.status FILTER

--- case: UPDATE with other tables
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
update people set name = o.amount from orders o where o.customer = people.id and o.status = 1
--> resolved -> people
--> name: orders.amount IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, orders.status FILTER

--- case: a table of the same text
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create temporary table step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> more: orders.amount TRANSFORMATION

--- case: alias used by a later output
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1 as more, more * 2 as twice from orders
--> resolved
--> more: orders.amount TRANSFORMATION
--> twice: orders.amount TRANSFORMATION

--- case: query written to files
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
unload ('select id, amount from orders') to 's3://lake/x' iam_role 'r'
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY

--- case: SQL put together as text
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute prepared_query(1)
--> unresolved dynamic_sql

--- case: procedure
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: redshift
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: redshift
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: redshift
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN
