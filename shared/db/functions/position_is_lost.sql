/*
  Returns whether a position that a log had is not in it any more: an entry with this number and term.

  p_epoch  the first eight characters of the epoch that the log had then

  A position of an epoch that the log has had since says nothing new. One of an epoch that it never had was lost with it.
  An entry that has been trimmed was there.
*/
create or replace function position_is_lost(p_realm int, p_epoch text, p_seq bigint, p_term text) returns boolean
language sql stable as $$
  select case
    when p_epoch = any (h.former_epochs) then false
    when p_epoch <> left(h.epoch::text, 8) or h.seq < p_seq then true
    else coalesce(
      (
        select coalesce(l.entry ->> 'term', '') from event_log l where l.realm_id = p_realm and l.seq = p_seq
      ),
      case when h.seq = p_seq then h.term end
    ) <> p_term
  end
  from realm_heads h where h.realm_id = p_realm
$$;
