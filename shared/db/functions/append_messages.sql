/*
  Appends plain messages for nodes of the version before, whose ids of messages are int: append_plain_messages, which has
  the same parameters. No realm has ids that are wider while such nodes run.
*/
create or replace function append_messages(
  p_realm int, p_rules_versions bigint[], p_conversations bigint[], p_channels int[], p_topics bigint[],
  p_senders int[], p_contents text[], p_rendered text[], p_rendered_versions smallint[],
  p_clients text[], p_links boolean[], p_images boolean[], p_attachments boolean[], p_previews boolean[],
  p_read_by text[], p_queues text[], p_locals text[], p_audiences text[], p_events text
)
returns table (outcome text, message_id int, seq bigint, entry text)
language plpgsql as $$
begin
  if to_regclass('message_ids') is null then
    raise exception 'each realm counts its own messages: nodes of an older version can send nothing any more';
  end if;
  return query
    select a.outcome, a.message_id::int, a.seq, a.entry
      from append_plain_messages(
        p_realm, p_rules_versions, p_conversations, p_channels, p_topics, p_senders, p_contents, p_rendered,
        p_rendered_versions, p_clients, p_links, p_images, p_attachments, p_previews, p_read_by, p_queues, p_locals,
        p_audiences, p_events
      ) a;
end
$$;
