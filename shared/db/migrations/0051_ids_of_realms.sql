/*
  Lets each realm count its own messages, once no node of the version before runs: it would show messages of one realm where
  it looks for those of another that have the same ids. What such nodes need is removed.
*/
create function count_messages_by_realm() returns void language plpgsql as $$
begin
  -- Nobody draws an id meanwhile.
  lock table realm_heads in exclusive mode;
  update realm_heads h
    set message_id = greatest(h.message_id, coalesce((select max(m.id) from messages m where m.realm_id = h.realm_id), 0));
  drop sequence if exists message_ids;
  drop index if exists
    messages_by_id_alone,
    message_flags_by_id_alone,
    message_flags_by_message_alone,
    message_edits_by_message_alone,
    reactions_by_message_alone,
    submessages_by_message_alone,
    message_attachments_by_message_alone,
    pending_notifications_of_user,
    pushed_messages_by_id_alone,
    pushed_messages_by_message_alone,
    archived_messages_by_id_alone,
    message_moves_by_ids_alone;
  drop trigger if exists fill_realm on message_flags;
  drop trigger if exists fill_realm on message_edits;
  drop trigger if exists fill_realm on reactions;
  drop trigger if exists fill_realm on submessages;
  drop trigger if exists fill_realm on message_attachments;
  drop trigger if exists fill_realm on reminders;
  drop operator if exists && (int8multirange, int4multirange);
  drop operator if exists * (int8multirange, int4multirange);
  drop operator if exists @> (int8multirange, int);
  drop function if exists moves_overlap(int8multirange, int4multirange), moves_among(int8multirange, int4multirange),
    moves_contain(int8multirange, int);
  drop function if exists fill_realm(), shared_flags_of(int), create_log_head(int),
    log_event(int, bigint, timestamptz, jsonb, jsonb);
end
$$;

-- A new deployment has no such nodes.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform count_messages_by_realm(); end if;
end $$;
