-- Appends events for nodes of the version before, whose ids of messages are int: append_events, which has the same
-- parameters. No realm has ids that are wider while such nodes run.
create or replace function append_to_log(
  p_realm int, p_events jsonb, p_membership_changes jsonb, p_keeps_rules boolean
)
returns table (outcome text, message_id int, seq bigint, entry text)
language plpgsql as $$
begin
  if to_regclass('message_ids') is null then
    raise exception 'each realm counts its own messages: nodes of an older version can send nothing any more';
  end if;
  return query
    select a.outcome, a.message_id::int, a.seq, a.entry
      from append_events(p_realm, p_events, p_membership_changes, p_keeps_rules) a;
end
$$;
