/*
  Takes a sign of life of a user. A statement of its own: within a longer transaction it would hold up the realm.

  p_kind     'active'; 'idle': connected only; 'hidden': from now on nobody is to see that the user was here
  p_at       when it was; of 'hidden', what the user is seen to have been here at last
  p_spacing  a sign that comes no later than this after one of its kind changes nothing

  Returns the row as it then is, with when the user had been active before; nothing where nothing has changed.

  Update ids are drawn under a lock that is held until the row can be seen. So whoever has seen one has seen all below
  it, and asks for what is above.
*/
create or replace function set_presence(p_user int, p_realm int, p_kind text, p_at timestamptz, p_spacing interval)
returns table (active_at timestamptz, idle_at timestamptz, before_at timestamptz)
language plpgsql as $$
declare
  known presences;
begin
  select * into known from presences where user_id = p_user;
  if p_kind <> 'hidden' and p_at < p_spacing + (case p_kind when 'active' then known.active_at else known.idle_at end) then
    return;
  end if;

  -- Nobody misses the last second's presence after a crash, and everybody would wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(hashtextextended('presence:' || p_realm, 0));
  select * into known from presences where user_id = p_user;
  if p_kind = 'hidden' then
    return query update presences p
      set active_at = least(p.active_at, p_at), idle_at = least(p.idle_at, p_at),
          update_id = nextval('presence_updates')
      where p.user_id = p_user
      returning p.active_at, p.idle_at, known.active_at;
    return;
  end if;

  if p_at < p_spacing + (case p_kind when 'active' then known.active_at else known.idle_at end)
    or exists (select from users where id = p_user and settings @> '{"presence_enabled": false}')
  then
    return;
  end if;
  return query insert into presences as p (user_id, realm_id, active_at, idle_at, update_id)
    values (p_user, p_realm, case p_kind when 'active' then p_at end, p_at, nextval('presence_updates'))
    on conflict (user_id) do update set
      active_at = greatest(p.active_at, excluded.active_at), idle_at = greatest(p.idle_at, excluded.idle_at),
      update_id = excluded.update_id
    returning p.active_at, p.idle_at, known.active_at;
end
$$;
