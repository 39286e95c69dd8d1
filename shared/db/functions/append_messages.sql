/*
  Appends messages of which nothing follows but themselves, as append_to_log does with any event and by the same laws:
  one statement for all of them instead of a dozen for each. It must be the last statement of its transaction.

  The arrays have one element per message. Two of its messages may not have the same local echo.

  p_audiences  JSON of the audience; for a message to a channel, up to where its conversation's members are named
  p_events     JSON of the events, a line each, up to the end of the message that each holds: its id and its time are
               added here

  Returns one row per message, in order, as append_to_log does: 'written', 'repeated' or 'stale'.

  The plan is made once per connection. Postgres would take it for worth planning anew each time, which costs as much as
  ten messages.
*/
create or replace function append_messages(
  p_realm int, p_rules_versions bigint[], p_conversations bigint[], p_channels int[], p_topics bigint[],
  p_senders int[], p_contents text[], p_rendered text[], p_rendered_versions smallint[],
  p_clients text[], p_links boolean[], p_images boolean[], p_attachments boolean[], p_previews boolean[],
  p_read_by text[], p_queues text[], p_locals text[], p_audiences text[], p_events text
)
returns table (outcome text, message_id int, seq bigint, entry text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  head realm_heads;
  now_at timestamptz;
begin
  select * into strict head from realm_heads where realm_id = p_realm for update;
  -- The time is read under the lock, so that times and seqs are in the same order.
  now_at := clock_timestamp();
  return query
    with draft as materialized (
      select d.*, d.rules_version < head.rules_version as is_stale, case when d.queue_id is not null then (
          select m.id from messages m
            where m.sender_id = d.sender_id and m.queue_id = d.queue_id and m.local_id = d.local_id
        ) end as repeats
        from unnest(
          p_rules_versions, p_conversations, p_channels, p_topics, p_senders, p_contents, p_rendered, p_rendered_versions,
          p_clients, p_links, p_images, p_attachments, p_previews, p_read_by, p_queues, p_locals, p_audiences,
          string_to_array(p_events, E'\n')
        ) with ordinality d (
          rules_version, conversation_id, channel_id, topic_id, sender_id, content, rendered_content, rendered_version,
          client, has_link, has_image, has_attachment, previews_due, read_by, queue_id, local_id, audience,
          event, place
        )
    ), numbered as materialized (
      select d.place, d.conversation_id, nextval('message_ids')::int as id,
          head.seq + row_number() over (order by d.place) as seq
        from (select * from draft where not is_stale and repeats is null order by draft.place) d
    ), conversation as materialized (
      update conversation_heads h
        set ordinal = h.ordinal + w.messages, first_message_id = coalesce(h.first_message_id, w.first_id)
        from (
          select n.conversation_id, count(*) as messages, min(n.id) as first_id
            from numbered n group by n.conversation_id
        ) w
        where h.conversation_id = w.conversation_id
        returning h.conversation_id, h.ordinal - w.messages as ordinal, h.audience_id
    ), written as materialized (
      -- Without a conversation there is no ordinal, and the row is refused.
      select d.*, n.id, n.seq, c.ordinal + row_number() over (partition by d.conversation_id order by d.place) as ordinal,
          '{"seq":' || n.seq || ',"audience":' || d.audience
            || case when d.channel_id is null then '' else c.audience_id || ']}' end
            || ',"event":' || d.event || ',"id":' || n.id
            || ',"timestamp":' || floor(extract(epoch from now_at))::bigint || '}}}' as entry
        from draft d
        join numbered n on n.place = d.place
        left join conversation c on c.conversation_id = d.conversation_id
    ), message as (
      insert into messages (
        id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content, rendered_content,
        rendered_version, client, has_link, has_image, has_attachment, queue_id, local_id, read_by, previews_due_at
      ) select w.id, p_realm, w.conversation_id, w.ordinal, w.channel_id, w.topic_id, w.sender_id, now_at, w.content,
          w.rendered_content, w.rendered_version, w.client, w.has_link, w.has_image, w.has_attachment, w.queue_id,
          w.local_id, w.read_by::int[], case when w.previews_due then now_at end
        from written w order by w.place
    ), logged as (
      insert into event_log (realm_id, seq, appended_at, entry, bytes)
        select p_realm, w.seq, now_at, w.entry::jsonb, octet_length(w.entry) from written w order by w.place
    ), moved as (
      update realm_heads set seq = head.seq + (select count(*) from numbered) where realm_id = p_realm
    )
    select case when w.id is not null then 'written' when d.is_stale then 'stale' else 'repeated' end,
        coalesce(w.id, d.repeats), w.seq, w.entry
      from draft d left join written w on w.place = d.place order by d.place;
end
$$;
