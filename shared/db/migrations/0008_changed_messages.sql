-- Those who received something of a conversation without being subscribed to it now: few, and asked for on their own.
create index conversation_members_former on conversation_members (conversation_id) where not is_subscribed;
-- Whoever wants to read for themselves that a topic was resolved.
create index users_unread_resolving on users (realm_id)
  where settings ->> 'resolved_topic_notice_auto_read_policy' = 'never';

/*
  The flags that a message has for everyone, as an update_message event carries them. Reading is a range of each
  member, which only counting all of them would tell: of a conversation with very many members it is told for those
  alone who have another flag.
*/
create function marks_of(p_message int) returns jsonb language plpgsql as $$
declare
  members_max constant int := 1000;
  m messages;
  is_small boolean;
  flags jsonb;
  unread jsonb;
begin
  select * into strict m from messages where id = p_message;
  select count(*) <= members_max into is_small from (
    select from conversation_members where conversation_id = m.conversation_id limit members_max + 1
  ) counted;
  select coalesce(jsonb_object_agg(name, user_ids), '{}') into flags from (
    select f.name, jsonb_agg(r.user_id order by r.user_id) as user_ids
      from message_flags r cross join lateral (values
        ('starred', r.starred), ('collapsed', r.collapsed), ('mentioned', r.mentioned),
        ('topic_wildcard_mentioned', r.topic_wildcard_mentioned), ('has_alert_word', r.has_alert_word)
      ) f (name, is_set)
      where r.message_id = m.id and f.is_set
      group by f.name
  ) by_name;
  select coalesce(jsonb_agg(c.user_id order by c.user_id), '[]') into unread
    from conversation_members c
    where c.conversation_id = m.conversation_id
      and (is_small or c.user_id in (select user_id from message_flags where message_id = m.id))
      and c.received @> m.ordinal and not c.read @> m.ordinal and not m.read_by @> array[c.user_id]
      and (m.unread_for is null or m.unread_for @> array[c.user_id]);
  if m.mentions_channel and is_small then
    flags := flags || jsonb_build_object('stream_wildcard_mentioned', (
      select coalesce(jsonb_agg(user_id order by user_id), '[]') from conversation_members c
        where c.conversation_id = m.conversation_id and c.received @> m.ordinal
    ));
  end if;
  return jsonb_build_object('flags', flags, 'unread', unread)
    || case when m.mentions_channel and not is_small then '{"mentions_channel": true}' else '{}' end::jsonb;
end
$$;

-- Writes one entry. Who hears it is fixed here, under the head lock: nobody joins or leaves between the entry and its
-- place in the log. So is what an event says of the messages that refer to an upload, and of everyone's flags.
create or replace function log_event(p_realm int, p_seq bigint, p_at timestamptz, draft jsonb, event jsonb) returns text
language plpgsql as $$
declare
  written text;
begin
  if draft ? 'attachment' then
    event := event || jsonb_build_object(
      'upload_space_used', coalesce((select bytes from upload_usage where realm_id = p_realm), 0)
    );
    if event ->> 'op' <> 'remove' then
      event := jsonb_set(event, '{attachment,messages}', coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'date_sent', floor(extract(epoch from sent_at))::bigint * 1000) order by id)
        from (
          select m.id, m.sent_at from message_attachments r join messages m on m.id = r.message_id
          where r.attachment_id = (draft #>> '{attachment,id}')::int
          order by m.id desc limit 500
        ) newest
      ), '[]'));
    end if;
  end if;
  if draft ? 'marksOf' then
    event := jsonb_set(event, '{marks}', marks_of((draft ->> 'marksOf')::int));
  end if;
  insert into event_log (realm_id, seq, appended_at, entry) values (
    p_realm, p_seq, p_at,
    jsonb_strip_nulls(jsonb_build_object(
      'seq', p_seq,
      'revokes', draft -> 'revokes',
      'audience', jsonb_build_object(
        'users', draft -> 'users',
        'except', draft -> 'except',
        'open', draft -> 'open',
        'members', (
          select jsonb_agg(audience_id) from conversation_heads
            where draft ? 'conversations'
              and conversation_id in (select value::bigint from jsonb_array_elements_text(draft -> 'conversations'))
        )
      )
    )) || jsonb_build_object('event', event)
  ) returning entry::text into written;
  return written;
end
$$;
