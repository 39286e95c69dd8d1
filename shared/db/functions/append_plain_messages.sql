/*
  Appends messages of which nothing follows but themselves, as append_events does with any event and by the same laws:
  a statement per table for all of them instead of a dozen for each. It must be the last statement of its transaction.

  Numbers alone are joined and sorted; each text is read once, where it is written.

  The arrays have one element per message. Two of its messages may not have the same local echo.

  p_audiences  JSON of the audience; for a message to a channel, up to where its conversation's members are named:
               {"open":true,"members":[
  p_events     JSON of the events, a line each, up to the end of the message that each holds: its id and its time are
               added here: {"type":"message", …,"message":{"sender_id":1, …

  The seam: shared/log/src/append-plain.ts writes the first half of an entry, which ends inside objects that are open, and
  this function the second as text, because what Postgres alone knows (seq, audience, id, time) is not worth reading and
  writing the JSON again. What it adds closes exactly what is open there: "]}" the members and the audience of a channel,
  "}}}" the message, the event and the entry. Neither side may change alone; the cast to json refuses what does not fit.
  test/laws/log/append-plain.test.ts compares what is stored with the JSON of the whole event.

  Returns one row per message, in order, as append_events does: 'written', 'repeated' or 'stale'. That of a repeated message
  has the log's head before this append, as an entry names it: whoever acknowledges the message knows that the log was so far.

  The plan is made once per connection. Postgres would take it for worth planning anew each time, which costs as much as
  ten messages.
*/
create or replace function append_plain_messages(
  p_realm int, p_rules_versions bigint[], p_conversations bigint[], p_channels int[], p_topics bigint[],
  p_senders int[], p_contents text[], p_rendered text[], p_rendered_versions smallint[],
  p_clients text[], p_links boolean[], p_images boolean[], p_attachments boolean[], p_previews boolean[],
  p_read_by text[], p_queues text[], p_locals text[], p_audiences text[], p_events text
)
returns table (outcome text, message_id bigint, seq bigint, entry text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  head realm_heads;
  is_shared boolean := to_regclass('message_ids') is not null;
  own_term text;
  -- What an entry says of terms, and what the first one does: it also says which term the one before it has.
  terms text;
  first_terms text;
  first_seq bigint;
  rules bigint;
  now_at timestamptz;
  repeated bigint[];
  ids bigint[];
  seqs bigint[];
  ordinals bigint[];
  members bigint[];
  entries text[];
begin
  -- The term is read with the head: it is that of the server which holds the log.
  select h.realm_id, h.epoch, h.seq, h.term, h.message_id, h.rules_version, log_term(h.epoch)
    into strict head.realm_id, head.epoch, head.seq, head.term, head.message_id, head.rules_version, own_term
    from realm_heads h where h.realm_id = p_realm for update;
  rules := rules_version_of(head.rules_version, head.term, own_term);
  terms := ',"term":"' || own_term || '","audience":';
  first_seq := head.seq + 1;
  first_terms := case when head.term = own_term then terms
    else ',"term":"' || own_term || '","previousTerm":"' || head.term || '","audience":' end;
  head.message_id := last_message_id(head, own_term, cardinality(p_senders), is_shared);
  -- The time is read under the lock, so that times and seqs are in the same order.
  now_at := clock_timestamp();

  with draft as materialized (
    select d.place, d.conversation_id, d.rules_version <> rules as is_stale,
        case when d.queue_id is not null then (
          select m.id from messages m
            where m.realm_id = p_realm and m.sender_id = d.sender_id and m.queue_id = d.queue_id and m.local_id = d.local_id
        ) end as repeats
      from unnest(p_rules_versions, p_conversations, p_senders, p_queues, p_locals) with ordinality
        d (rules_version, conversation_id, sender_id, queue_id, local_id, place)
  ), numbered as materialized (
    select d.place, d.conversation_id,
        greatest(case when is_shared then shared_message_id() end, head.message_id + row_number() over (order by d.place)) as id,
        head.seq + row_number() over (order by d.place) as seq,
        row_number() over (partition by d.conversation_id order by d.place) as nth
      from (select * from draft d where not d.is_stale and d.repeats is null order by d.place) d
  ), conversation as (
    update conversation_heads h
      set ordinal = h.ordinal + w.messages, first_message_id = coalesce(h.first_message_id, w.first_id)
      from (
        -- The realm comes from here, so that Postgres never reads all of a realm's heads, which it takes for few.
        select p_realm as realm_id, n.conversation_id, count(*) as messages, min(n.id) as first_id
          from numbered n group by n.conversation_id
      ) w
      where h.realm_id = w.realm_id and h.conversation_id = w.conversation_id
      returning h.conversation_id, h.ordinal - w.messages as ordinal, h.audience_id
  )
  select array_agg(w.repeats), array_agg(w.id), array_agg(w.seq), array_agg(w.ordinal), array_agg(w.audience_id)
    into repeated, ids, seqs, ordinals, members
    from (
      select case when not d.is_stale then d.repeats end as repeats, n.id, n.seq, c.ordinal + n.nth as ordinal, c.audience_id
        from draft d
        left join numbered n on n.place = d.place
        left join conversation c on c.conversation_id = n.conversation_id
        order by d.place
    ) w;

  -- Without a conversation there is no ordinal, and the row is refused.
  insert into messages (
    id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content, rendered_content,
    rendered_version, client, has_link, has_image, has_attachment, queue_id, local_id, read_by, previews_due_at
  ) select d.id, p_realm, d.conversation_id, d.ordinal, d.channel_id, d.topic_id, d.sender_id, now_at, d.content,
      d.rendered_content, d.rendered_version, d.client, d.has_link, d.has_image, d.has_attachment, d.queue_id,
      d.local_id, d.read_by::int[], case when d.previews_due then now_at end
    from unnest(
      ids, ordinals, p_conversations, p_channels, p_topics, p_senders, p_contents, p_rendered, p_rendered_versions,
      p_clients, p_links, p_images, p_attachments, p_previews, p_read_by, p_queues, p_locals
    ) d (
      id, ordinal, conversation_id, channel_id, topic_id, sender_id, content, rendered_content, rendered_version,
      client, has_link, has_image, has_attachment, previews_due, read_by, queue_id, local_id
    ) where d.id is not null;

  -- Without an entry the term does not begin: the head's is that of the newest entry.
  if cardinality(array_remove(ids, null)) > 0 then
    update realm_heads h
      set seq = head.seq + cardinality(array_remove(ids, null)), term = own_term,
          rules_version = case when head.term = '' then next_rules_version(head.rules_version, head.term, own_term) else rules end,
          message_id = (select max(d.id) from unnest(ids) d (id))
      where h.realm_id = p_realm;
  end if;

  select array_agg(case when d.id is not null then
      '{"seq":' || d.seq || case when d.seq = first_seq then first_terms else terms end || d.audience
        || case when d.channel_id is null then '' else d.members || ']}' end
        || ',"event":' || d.event || ',"id":' || d.id
        || ',"timestamp":' || floor(extract(epoch from now_at))::bigint || '}}}' end order by d.place)
    into entries
    from unnest(ids, seqs, members, p_channels, p_audiences, string_to_array(p_events, E'\n')) with ordinality
      d (id, seq, members, channel_id, audience, event, place);

  -- It stands by itself: on one of several servers, what it has in common with another would be sent to all of them.
  insert into event_log (realm_id, seq, appended_at, entry, bytes)
    select p_realm, d.seq, now_at,
      -- json is checked for its grammar alone. jsonb refuses what cannot be read as text: half a character, a null.
      case when strpos(d.entry, '\u') > 0 then d.entry::jsonb::json else d.entry::json end, octet_length(d.entry)
    from unnest(seqs, entries) d (seq, entry) where d.entry is not null;

  return query
    select case when d.id is not null then 'written' when d.repeats is not null then 'repeated' else 'stale' end,
        coalesce(d.id, d.repeats), coalesce(d.seq, case when d.repeats is not null then head.seq end),
        coalesce(d.entry, case when d.repeats is not null then '{"seq":' || head.seq || ',"term":"' || head.term || '"}' end)
      from unnest(repeated, ids, seqs, entries) with ordinality d (repeats, id, seq, entry, place) order by d.place;
end
$$;
