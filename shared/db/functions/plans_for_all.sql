-- Returns the plan_cache_mode in which a statement has one plan for all values.
create or replace function plans_for_all() returns text language sql stable as $$
  select 'force_generic_plan'
$$;
