--- case: CTE that hides a table
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT TRANSFORMATION

--- case: UNION by position
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount from orders union all select id, city from people
--> resolved
--> ID: ORDERS.ID IDENTITY, PEOPLE.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY, PEOPLE.CITY IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id from orders minus select boss from people
--> resolved
--> ID: ORDERS.ID IDENTITY
--> rows: PEOPLE.BOSS FILTER, ORDERS.ID GROUP_BY

--- case: JOIN USING
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY
--> NAME: PEOPLE.NAME IDENTITY
--> rows: ORDERS.ID JOIN, PEOPLE.ID JOIN

--- case: subquery in a condition
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> rows: ORDERS.CUSTOMER FILTER, PEOPLE.ID FILTER, PEOPLE.CITY FILTER, PEOPLE.BOSS FILTER

--- case: scalar subquery
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOP: PEOPLE.CITY AGGREGATION, PEOPLE.ID FILTER, ORDERS.CUSTOMER FILTER

--- case: LATERAL
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, x.top from orders o cross apply (select max(p.city) as top from people p where p.id = o.customer) x
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOP: PEOPLE.CITY AGGREGATION
--> rows: PEOPLE.ID FILTER, ORDERS.CUSTOMER FILTER

--- case: path into JSON
--- dialect: oracle
--- schema: T(ID INT, DOC CLOB)
select t.id, json_value(t.doc, '$.a.b') as x from t
--> resolved
--> ID: T.ID IDENTITY
--> X: T.DOC TRANSFORMATION

--- case: rows of JSON
--- dialect: oracle
--- schema: T(ID INT, DOC CLOB)
select t.id, j.n from t, json_table(t.doc, '$[*]' columns (n number path '$.n')) j
--> resolved
--> ID: T.ID IDENTITY
--> N: T.DOC TRANSFORMATION

--- case: PIVOT
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * from (select customer, status, amount from orders) pivot (sum(amount) as total for status in (1 as one, 2 as two))
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> ONE_TOTAL: ORDERS.AMOUNT AGGREGATION, ORDERS.STATUS CONDITIONAL
--> TWO_TOTAL: ORDERS.AMOUNT AGGREGATION, ORDERS.STATUS CONDITIONAL
--> rows: ORDERS.CUSTOMER GROUP_BY

--- case: UNPIVOT
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, what, n from orders unpivot (n for what in (amount, placed))
--> resolved
--> ID: ORDERS.ID IDENTITY
--> WHAT: constant
--> N: ORDERS.AMOUNT IDENTITY, ORDERS.PLACED IDENTITY

--- case: named window
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOTAL: ORDERS.AMOUNT AGGREGATION, ORDERS.CUSTOMER WINDOW, ORDERS.PLACED WINDOW
--> N: ORDERS.CUSTOMER WINDOW, ORDERS.PLACED WINDOW

--- case: condition of an aggregate
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, sum(decode(status, 1, amount)) as paid from orders group by customer
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> PAID: ORDERS.STATUS CONDITIONAL, ORDERS.AMOUNT AGGREGATION
--> rows: ORDERS.CUSTOMER GROUP_BY

--- case: order inside an aggregate
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, listagg(amount, ',') within group (order by placed) as list from orders group by customer
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> LIST: ORDERS.AMOUNT AGGREGATION, ORDERS.PLACED SORT
--> rows: ORDERS.CUSTOMER GROUP_BY

--- case: grouping sets
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> STATUS: ORDERS.STATUS IDENTITY
--> TOTAL: ORDERS.AMOUNT AGGREGATION
--> rows: ORDERS.CUSTOMER GROUP_BY, ORDERS.STATUS GROUP_BY

--- case: recursive CTE
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
with r (id, boss, depth) as (select id, boss, 1 from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> DEPTH: constant
--> rows: PEOPLE.BOSS FILTER, PEOPLE.BOSS JOIN, PEOPLE.ID JOIN

--- case: VALUES
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) v (n, k) join orders o on o.status = v.n
--> resolved
--> K: constant
--> AMOUNT: ORDERS.AMOUNT IDENTITY
--> rows: ORDERS.STATUS JOIN

--- case: generated rows
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select level as n from dual connect by level <= 10
--> resolved
--> N: constant

--- case: table function of one's own
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, f.x from orders o, table(my_rows(o.amount)) f
--> partial
--> ID: ORDERS.ID IDENTITY
--> X: opaque_function; ORDERS.AMOUNT TRANSFORMATION

--- case: outputs of one name
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount as id from orders
--> resolved
--> ID: ORDERS.ID IDENTITY
--> ID: ORDERS.AMOUNT IDENTITY

--- case: outputs without a name
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> AMOUNT+1: ORDERS.AMOUNT TRANSFORMATION
--> MAX(PLACED)OVER(): ORDERS.PLACED AGGREGATION

--- case: quoted and dotted names
--- dialect: oracle
--- schema: Odd T(A b INT, x.y INT)
select "A b", "x.y" as z from "Odd T"
--> resolved
--> A b: Odd T.A b IDENTITY
--> Z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: oracle
--- schema: KÄSE(GRÖSSE INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: KÄSE.GRÖSSE IDENTITY

--- case: letters of another case
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOTAL: ORDERS.AMOUNT IDENTITY
--> rows: ORDERS.STATUS FILTER

--- case: INSERT with columns
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> A: ORDERS.ID IDENTITY
--> B: ORDERS.AMOUNT IDENTITY

--- case: CREATE TABLE AS
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> ID: ORDERS.ID IDENTITY
--> TWICE: ORDERS.AMOUNT TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> A: ORDERS.ID IDENTITY
--> B: ORDERS.AMOUNT IDENTITY

--- case: MERGE
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
merge into people using orders on (people.id = orders.customer) when matched then update set name = orders.amount where orders.status = 1 delete where people.city > 2 when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> NAME: ORDERS.AMOUNT IDENTITY, ORDERS.PLACED IDENTITY
--> ID: ORDERS.CUSTOMER IDENTITY
--> rows: PEOPLE.ID JOIN, ORDERS.CUSTOMER JOIN, ORDERS.STATUS FILTER, PEOPLE.CITY FILTER

--- case: UPDATE with other tables
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
update people p set p.name = (select max(o.amount) from orders o where o.customer = p.id)
--> resolved -> people
--> NAME: ORDERS.AMOUNT AGGREGATION, ORDERS.CUSTOMER FILTER, PEOPLE.ID FILTER

--- case: a table of the same text
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
create global temporary table step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> MORE: ORDERS.AMOUNT TRANSFORMATION

--- case: MATCH_RECOGNIZE
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * from orders match_recognize (partition by customer order by placed measures last(up.amount) as top one row per match pattern (up+) define up as amount > 1)
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> TOP: ORDERS.AMOUNT TRANSFORMATION
--> rows: ORDERS.CUSTOMER WINDOW, ORDERS.PLACED SORT, ORDERS.AMOUNT FILTER

--- case: CONNECT BY
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, sys_connect_by_path(name, '/') as p, level as n from people start with boss is null connect by prior id = boss
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> P: PEOPLE.NAME TRANSFORMATION
--> N: constant
--> rows: PEOPLE.BOSS FILTER, PEOPLE.ID FILTER

--- case: INSERT into several tables
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
insert all into a1 (x) values (id) into a2 (y) values (amount) select id, amount from orders
--> partial unsupported_statement -> a2
--> Y: ORDERS.AMOUNT IDENTITY

--- case: SQL put together as text
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
execute immediate 'select id from ' || name
--> unresolved dynamic_sql

--- case: SQL as a constant text
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
execute immediate 'select id from orders'
--> resolved
--> ID: ORDERS.ID IDENTITY

--- case: procedure
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: parser_error

--- case: a column that isn't there
--- dialect: oracle
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, nothing from orders
--> partial
--> ID: ORDERS.ID IDENTITY
--> NOTHING: unknown_column

--- case: a star over unknown columns
--- dialect: oracle
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: oracle
select a.x, y from a join b on a.id = b.id
--> partial
--> X: a.X IDENTITY
--> Y: ambiguous_column
--> rows: a.ID JOIN, b.ID JOIN
