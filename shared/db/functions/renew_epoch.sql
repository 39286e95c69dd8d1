/*
  Begins a new epoch of a log that has lost a position, once, however many say so. Returns whether it has. The parameters
  are those of position_is_lost.

  The lock waits for whoever appends, and what is looked at then is what they have left: a statement of its own sees it.
*/
create or replace function renew_epoch(p_realm int, p_epoch text, p_seq bigint, p_term text, p_age interval)
returns boolean language plpgsql as $$
begin
  if coalesce(position_is_lost(p_realm, p_epoch, p_seq, p_term, p_age), false) then
    perform skip_ids();
  end if;
  perform from realm_heads where realm_id = p_realm for update;
  if not coalesce(position_is_lost(p_realm, p_epoch, p_seq, p_term, p_age), false) then
    return false;
  end if;
  perform begin_epoch(p_realm, array[p_epoch]);
  return true;
end
$$;
