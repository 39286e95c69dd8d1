/*
  Returns the first p_limit changes of presence of a realm after an update id, in their order, the newest of each active
  person, behind a row without a user whose update_id is the version of the realm's rules.

  Whoever remembers what they were told before asks for every request of a client, so the plan is made once per connection.
*/
create or replace function presence_changes(p_realm int, p_after bigint, p_limit int)
returns table (user_id int, update_id float8, active float8, idle float8)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return query select null::int, rules_version_of(h.rules_version, h.term, log_term(h.epoch))::float8, 0::float8, 0::float8 from realm_heads h where h.realm_id = p_realm;
  return query
    -- The index has the order. Joined in another way, the plan would be one for a large part of all people.
    select p.user_id, p.update_id::float8, floor(extract(epoch from coalesce(p.active_at, u.joined_at)))::float8,
        floor(extract(epoch from coalesce(p.idle_at, p.active_at, u.joined_at)))::float8
      from presences p
      cross join lateral (
        select joined_at from users where realm_id = p_realm and id = p.user_id and is_active and bot_type is null offset 0
      ) u
      where p.realm_id = p_realm and p.update_id > p_after
      order by p.update_id limit p_limit;
end
$$;
