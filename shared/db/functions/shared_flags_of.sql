/*
  A message's flags for all of its readers, as an update_message event carries them. What a member has read is a range
  in the member's row, so finding who has not read a message takes reading every member's row. In a conversation with
  more than 1000 members, `unread` lists only users who have another flag on the message.
*/
create or replace function shared_flags_of(p_realm int, p_message bigint) returns jsonb language plpgsql as $$
declare
  members_max constant int := 1000;
  m messages;
  is_small boolean;
  flags jsonb;
  unread jsonb;
begin
  select * into strict m from messages where realm_id = p_realm and id = p_message;
  select count(*) <= members_max into is_small from (
    select from conversation_members
      where realm_id = p_realm and conversation_id = m.conversation_id limit members_max + 1
  ) counted;
  select coalesce(jsonb_object_agg(name, user_ids), '{}') into flags from (
    select f.name, jsonb_agg(r.user_id order by r.user_id) as user_ids
      from message_flags r cross join lateral (values
        ('starred', r.starred), ('collapsed', r.collapsed), ('mentioned', r.mentioned),
        ('topic_wildcard_mentioned', r.topic_wildcard_mentioned), ('has_alert_word', r.has_alert_word)
      ) f (name, is_set)
      where r.realm_id = p_realm and r.message_id = m.id and f.is_set
      group by f.name
  ) by_name;
  if is_small then
    select coalesce(jsonb_agg(c.user_id order by c.user_id), '[]') into unread
      from conversation_members c
      where c.realm_id = p_realm and c.conversation_id = m.conversation_id
        and c.received @> m.ordinal and not c.read @> m.ordinal and not m.read_by @> array[c.user_id]
        and (m.unread_for is null or m.unread_for @> array[c.user_id]);
  else
    select coalesce(jsonb_agg(c.user_id order by c.user_id), '[]') into unread
      from message_flags r cross join lateral (
        select * from conversation_members
          where realm_id = p_realm and conversation_id = m.conversation_id and user_id = r.user_id offset 0
      ) c
      where r.realm_id = p_realm and r.message_id = m.id
        and c.received @> m.ordinal and not c.read @> m.ordinal and not m.read_by @> array[c.user_id]
        and (m.unread_for is null or m.unread_for @> array[c.user_id]);
  end if;
  if m.mentions_channel and is_small then
    flags := flags || jsonb_build_object('stream_wildcard_mentioned', (
      select coalesce(jsonb_agg(user_id order by user_id), '[]') from conversation_members c
        where c.realm_id = p_realm and c.conversation_id = m.conversation_id and c.received @> m.ordinal
    ));
  end if;
  return jsonb_build_object('flags', flags, 'unread', unread)
    || case when m.mentions_channel and not is_small then '{"mentions_channel": true}' else '{}' end::jsonb;
end
$$;
