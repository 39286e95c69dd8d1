-- Tells the coordinator of a server: of itself, as which the others know it, or of one that holds organizations.
select citus_set_coordinator_host(:'host', :port)
where :is_coordinator and not exists (
  select from pg_dist_node where groupid = 0 and nodename = :'host' and nodeport = :port
)
\g /dev/null

select citus_add_node(:'host', :port)
where not :is_coordinator and not exists (
  select from pg_dist_node where nodename = :'host' and nodeport = :port
)
\g /dev/null
