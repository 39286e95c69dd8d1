-- Returns the plan_cache_mode in which a statement has one plan for all values; where Citus finds the part of a table that it is
-- about, one for each organization: see src/migrations/functions.ts and parts.ts.
create or replace function plans_for_all() returns text language sql stable as $$
  select 'force_generic_plan'
$$;
