/*
  Returns whether a position that a log had is not in it any more: an entry with this number and term.

  p_epoch  the first eight characters of the epoch that the log had then
  p_age    how long ago whoever says so had it acknowledged; null if it has only read of it

  A position of an epoch that the log has had since says nothing new: clients have been told. Not so if it was acknowledged
  later than the present epoch began, by a server whose place another one had taken: then no history has it that goes on.
  One of an epoch that the log never had was lost with it. Of an entry that has been trimmed, the next one says what it was;
  if that is gone as well, it was there.
*/
create or replace function position_is_lost(p_realm int, p_epoch text, p_seq bigint, p_term text, p_age interval)
returns boolean language plpgsql stable as $$
begin
  return (with entry (term) as (
    select coalesce(
      (select coalesce(l.entry ->> 'term', '') from event_log l where l.realm_id = p_realm and l.seq = p_seq),
      (
        select coalesce(l.entry ->> 'previousTerm', l.entry ->> 'term', '')
        from event_log l where l.realm_id = p_realm and l.seq = p_seq + 1
      )
    )
  )
  select case
    when p_epoch = any (h.former_epochs) then
      p_age is not null and h.epoch_began_at < clock_timestamp() - p_age
      and (select term from entry) is distinct from p_term
    when p_epoch <> left(h.epoch::text, 8) or h.seq < p_seq then true
    else coalesce((select term from entry), case when h.seq = p_seq then h.term end) <> p_term
  end
  from realm_heads h where h.realm_id = p_realm);
end
$$;
