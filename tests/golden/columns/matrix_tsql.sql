--- case: CTE that hides a table
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders except select boss from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.boss FILTER, orders.id GROUP_BY

--- case: subquery in a condition
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: LATERAL
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, x.[top] from orders o cross apply (select max(p.city) as [top] from people p where p.id = o.customer) x
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION
--> rows: people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: tsql
--- schema: t(id INT, tags NVARCHAR(100), doc NVARCHAR(100))
select id, s.value as tag from t cross apply string_split(tags, ',') s
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: path into JSON
--- dialect: tsql
--- schema: t(id INT, tags NVARCHAR(100), doc NVARCHAR(100))
select id, json_value(doc, '$.a.b') as x from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION

--- case: rows of JSON
--- dialect: tsql
--- schema: t(id INT, tags NVARCHAR(100), doc NVARCHAR(100))
select t.id, o.sku from t cross apply openjson(t.doc) with (sku varchar(10) '$.sku') as o
--> resolved
--> id: t.id IDENTITY
--> sku: t.doc TRANSFORMATION

--- case: PIVOT
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, [1] as one from (select customer, status, amount from orders) s pivot (sum(amount) for status in ([1], [2])) as p
--> resolved
--> customer: orders.customer IDENTITY
--> one: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: UNPIVOT
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, what, n from orders unpivot (n for what in (amount, placed)) as u
--> resolved
--> id: orders.id IDENTITY
--> what: constant
--> n: orders.amount IDENTITY, orders.placed IDENTITY

--- case: named window
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount AGGREGATION, orders.customer WINDOW, orders.placed WINDOW
--> n: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, sum(iif(status = 1, amount, 0)) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.status CONDITIONAL, orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY

--- case: order inside an aggregate
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, string_agg(amount, ',') within group (order by placed) as list from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> list: orders.amount AGGREGATION, orders.placed SORT
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: recursive CTE
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: VALUES
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) as v (n, k) join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select value as n from generate_series(1, 10)
--> resolved
--> n: constant

--- case: table function of one's own
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, f.x from orders o cross apply dbo.my_rows(o.amount) as f(x)
--> partial
--> id: orders.id IDENTITY
--> x: opaque_function; orders.amount TRANSFORMATION

--- case: outputs of one name
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.id IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> amount + 1: orders.amount TRANSFORMATION
--> MAX(placed) OVER (): orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: tsql
--- schema: Odd T(A b INT, x.y INT)
select [A b], [x.y] as z from [Odd T]
--> resolved
--> A b: Odd T.A b IDENTITY
--> z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: tsql
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> ID: orders.id IDENTITY
--> Total: orders.amount IDENTITY
--> rows: orders.status FILTER

--- case: INSERT with columns
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount * 2 as twice into target from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: MERGE
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed);
--> resolved -> people
--> name: orders.amount IDENTITY, orders.placed IDENTITY
--> id: orders.customer IDENTITY
--> rows: people.id JOIN, orders.customer JOIN, orders.status FILTER

--- case: UPDATE with other tables
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
update p set p.name = o.amount from people p join orders o on o.customer = p.id where o.status = 1
--> resolved -> people
--> name: orders.amount IDENTITY
--> rows: orders.customer JOIN, people.id JOIN, orders.status FILTER

--- case: a table of the same text
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount + 1 as more into #step from orders; select more into target from #step
--> resolved -> target
--> more: orders.amount TRANSFORMATION

--- case: variable
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
declare @top int; select @top = max(amount) from orders; select id, @top as t from orders
--> resolved
--> id: orders.id IDENTITY
--> t: orders.amount AGGREGATION

--- case: file as a relation
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select r.a, r.b + 1 as c from openrowset(bulk 'https://lake/x.parquet', format = 'PARQUET') as r
--> resolved
--> a: https://lake/x.parquet.a IDENTITY
--> c: https://lake/x.parquet.b TRANSFORMATION

--- case: block of a script
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
begin select amount as x into target from orders end
--> resolved -> target
--> x: orders.amount IDENTITY

--- case: statement under a condition
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
if exists (select 1 from orders) select id into target from orders
--> partial unsupported_statement -> target
--> id: orders.id IDENTITY

--- case: SQL put together as text
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute (@query)
--> unresolved dynamic_sql

--- case: SQL as a constant text
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute ('select id from orders')
--> resolved
--> id: orders.id IDENTITY

--- case: procedure
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
exec refresh
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: tsql
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: tsql
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: tsql
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN
