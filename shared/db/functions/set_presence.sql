/*
  Records that a user is active or idle, or hides the user's presence. It runs as a statement of its own: inside a
  longer transaction its lock would block every presence update of the realm.

  p_kind     'active'; 'idle': connected but not active; 'hidden': others may no longer see that the user is here
  p_at       when that was; for 'hidden', the latest time at which others may still see the user active
  p_spacing  an update that comes sooner than this after the last one of its kind changes nothing

  Returns the row after the change, with the time at which the user had been active before; nothing if nothing changed.

  Update ids are taken from the sequence under a lock that is held until the row is visible. So a client that has seen
  one update id has seen all lower ones, and asks only for higher ones.

  The plans are made once per connection: to plan costs more than all the rest.
*/
create or replace function set_presence(p_user int, p_realm int, p_kind text, p_at timestamptz, p_spacing interval)
returns table (active_at timestamptz, idle_at timestamptz, before_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  stored presences;
  active timestamptz := case when p_kind = 'active' then p_at end;
  next_id bigint;
begin
  select * into stored from presences where realm_id = p_realm and user_id = p_user;
  if p_kind <> 'hidden' and p_at < p_spacing + (case p_kind when 'active' then stored.active_at else stored.idle_at end) then
    return;
  end if;

  -- Losing the last second of presence in a crash is harmless, and waiting for the disk would delay every update.
  perform set_config('synchronous_commit', 'off', true);
  perform lock_row(p_realm, 'presence', true);
  select * into stored from presences where realm_id = p_realm and user_id = p_user;
  -- Whichever server draws it: above all that the realm has had. A statement that draws is one for all servers, where there are
  -- several.
  next_id := nextval('presence_updates');
  select greatest(next_id, max(p.update_id) + 1) into next_id from presences p where p.realm_id = p_realm;
  if p_kind = 'hidden' then
    return query update presences p
      set active_at = least(p.active_at, p_at), idle_at = least(p.idle_at, p_at),
          update_id = next_id
      where p.realm_id = p_realm and p.user_id = p_user
      returning p.active_at, p.idle_at, stored.active_at;
    return;
  end if;

  if p_at < p_spacing + (case p_kind when 'active' then stored.active_at else stored.idle_at end)
    or exists (select from users where realm_id = p_realm and id = p_user and settings @> '{"presence_enabled": false}')
  then
    return;
  end if;
  return query insert into presences as p (user_id, realm_id, active_at, idle_at, update_id)
    values (p_user, p_realm, active, p_at, next_id)
    on conflict (realm_id, user_id) do update set
      active_at = greatest(p.active_at, excluded.active_at), idle_at = greatest(p.idle_at, excluded.idle_at),
      update_id = excluded.update_id
    returning p.active_at, p.idle_at, stored.active_at;
end
$$;
