/*
  The way into the log; append_plain_messages is a shorter one for plain messages. It must be the last statement of its
  transaction: between taking the lock of the realm's head row and the commit, the transaction waits for nothing else.

  p_events              array of pending events (PendingEvent in shared/protocol): { event, users?, conversations?,
                        except?, open?, revokes?, rulesVersion?, expects?, message?, copiesMessage?, opening?,
                        firstMessage?, refreshesFirstMessage?, readsAll?, sharedFlagsOf?, subscribersOf?, attachment?, rooms? }
  p_membership_changes  array of { conversation, audience, joined: [user], left: [user], keepsSubscriptions? }
  p_keeps_rules         false when something that a planned send depends on has changed; this raises rules_version

  Returns one row per pending event, in order: its entry as it is published (null unless written) and its outcome:
    'written'
    'repeated'   an earlier message has the same local echo; message_id is that message's, and seq and entry name the head
                 of the log before this append, so that whoever acknowledges the message knows how far the log was
    'stale'      the rules, or what the event expects, changed after the event was planned
    'unchanged'  the event would have told nothing new
  The first message of a conversation has a row 'opening' before its own, and an event with rooms one for each of them.
*/
create or replace function append_events(
  p_realm int, p_events jsonb, p_membership_changes jsonb, p_keeps_rules boolean
)
returns table (outcome text, message_id bigint, seq bigint, entry text)
language plpgsql as $$
declare
  head realm_heads;
  is_shared boolean := to_regclass('message_ids') is not null;
  own_term text;
  rules bigint;
  terms jsonb;
  found_at bigint;
  found_in text;
  conversation conversation_heads;
  readers int[];
  non_readers int[];
  pending jsonb;
  change jsonb;
  m jsonb;
  body jsonb;
  now_at timestamptz;
  sent timestamptz;
  written_message bigint;
  submessage_id bigint;
  written_widget jsonb;
begin
  -- Member rows of users who receive a message although they are not in its conversation. They are locked before the
  -- head row, in one order, because nothing may be waited for after it.
  if exists (select from jsonb_array_elements(p_events) d where d #> '{message,alsoReceivedBy}' is not null) then
    insert into conversation_members (realm_id, conversation_id, user_id, is_subscribed, was_subscribed)
      select distinct p_realm, (d #>> '{message,conversationId}')::bigint, u.value::int, false, false
        from jsonb_array_elements(p_events) d, jsonb_array_elements_text(d #> '{message,alsoReceivedBy}') u
        order by 2, 3
      on conflict do nothing;
    perform from conversation_members c
      where c.realm_id = p_realm and (c.conversation_id, c.user_id) in (
        select (d #>> '{message,conversationId}')::bigint, u.value::int
          from jsonb_array_elements(p_events) d, jsonb_array_elements_text(d #> '{message,alsoReceivedBy}') u
      )
      order by c.conversation_id, c.user_id for update;
  end if;

  -- The term is read with the head: it is that of the server which holds the log.
  select h.realm_id, h.epoch, h.seq, h.term, h.message_id, h.rules_version, log_term(h.epoch)
    into strict head.realm_id, head.epoch, head.seq, head.term, head.message_id, head.rules_version, own_term
    from realm_heads h where h.realm_id = p_realm for update;
  rules := rules_version_of(head.rules_version, head.term, own_term);
  found_at := head.seq;
  found_in := '{"seq":' || head.seq || ',"term":"' || head.term || '"}';
  -- What the next entry says of terms: the first of a term also says which the one before it has.
  terms := jsonb_build_object('term', own_term);
  if own_term <> head.term then
    terms := terms || jsonb_build_object('previousTerm', head.term);
  end if;
  select last_message_id(head, own_term, count(*)::int, is_shared) into head.message_id
    from jsonb_array_elements(p_events) d where d ? 'message';
  -- The time is read under the lock, so that times and seqs are in the same order.
  now_at := clock_timestamp();

  for change in select * from jsonb_array_elements(p_membership_changes) loop
    update audiences set superseded_at = now_at
      where realm_id = p_realm and id = (
        select audience_id from conversation_heads
          where realm_id = p_realm and conversation_id = (change ->> 'conversation')::bigint
      );
    update conversation_heads set audience_id = (change ->> 'audience')::bigint
      where realm_id = p_realm and conversation_id = (change ->> 'conversation')::bigint
      returning * into strict conversation;
    update conversation_members
      set is_subscribed = is_subscribed or not coalesce((change ->> 'keepsSubscriptions')::boolean, false),
          was_subscribed = true,
          received = received + int8multirange(int8range(conversation.ordinal + 1, null))
      where realm_id = p_realm and conversation_id = conversation.conversation_id
        and user_id in (select value::int from jsonb_array_elements_text(change -> 'joined'));
    update conversation_members
      set is_subscribed = is_subscribed and coalesce((change ->> 'keepsSubscriptions')::boolean, false),
          received = received - int8multirange(int8range(conversation.ordinal + 1, null))
      where realm_id = p_realm and conversation_id = conversation.conversation_id
        and user_id in (select value::int from jsonb_array_elements_text(change -> 'left'));
  end loop;

  for pending in select * from jsonb_array_elements(p_events) loop
    outcome := 'written';
    message_id := null;
    seq := null;
    entry := null;
    body := pending -> 'event';
    m := pending -> 'message';

    if (pending ->> 'rulesVersion')::bigint <> rules or (pending ? 'expects' and (
      exists (
        select from messages
          where realm_id = p_realm and topic_id = (pending #>> '{expects,topicId}')::bigint
            and id > (pending #>> '{expects,lastMessageId}')::bigint
      ) or exists (
        select from messages n join topics t on t.realm_id = p_realm and t.id = n.topic_id
          where n.realm_id = p_realm and n.channel_id = (pending #>> '{expects,namedTopicsOf}')::int
            and n.id > (pending #>> '{expects,lastMessageId}')::bigint and t.name <> ''
      )
    )) then
      outcome := 'stale';
      return next;
      continue;
    end if;

    if pending ? 'firstMessage' then
      select * into strict conversation from conversation_heads
        where realm_id = p_realm and conversation_id = (pending #>> '{firstMessage,conversationId}')::bigint;
      body := jsonb_set(
        body, array(select jsonb_array_elements_text(pending #> '{firstMessage,path}')),
        coalesce(to_jsonb(conversation.first_message_id), 'null')
      );
    end if;

    if pending ? 'refreshesFirstMessage' then
      select * into strict conversation from conversation_heads
        where realm_id = p_realm and conversation_id = (pending #>> '{refreshesFirstMessage,conversationId}')::bigint;
      select min(id) into message_id from messages
        where realm_id = p_realm and channel_id = (pending #>> '{refreshesFirstMessage,channelId}')::int;
      if message_id is not distinct from conversation.first_message_id then
        outcome := 'unchanged';
        message_id := null;
        return next;
        continue;
      end if;
      update conversation_heads set first_message_id = message_id
        where realm_id = p_realm and conversation_id = conversation.conversation_id;
      body := jsonb_set(body, '{value}', coalesce(to_jsonb(message_id), 'null'));
      message_id := null;
    end if;

    if pending ? 'readsAll' then
      -- Covers what was received after the action marked its messages. The transaction has locked the rows.
      update conversation_members c
        set read = c.read + c.received * int8multirange(int8range(1, h.ordinal + 1))
        from conversation_heads h
        where c.realm_id = p_realm and c.user_id = (pending ->> 'readsAll')::int
          and h.realm_id = p_realm and h.conversation_id = c.conversation_id
          and not c.read @> c.received * int8multirange(int8range(1, h.ordinal + 1));
    end if;

    if m is not null then
      if m ? 'echo' then
        select id into message_id from messages
          where realm_id = p_realm and sender_id = (m ->> 'senderId')::int
            and queue_id = m #>> '{echo,queueId}' and local_id = m #>> '{echo,localId}';
        if found then
          outcome := 'repeated';
          seq := found_at;
          entry := found_in;
          return next;
          continue;
        end if;
      end if;

      -- A message that was mirrored from elsewhere has the time that it has there.
      sent := coalesce(to_timestamp((m ->> 'sentAt')::double precision), now_at);
      message_id := head.message_id + 1;
      if is_shared then
        message_id := greatest(message_id, shared_message_id());
      end if;
      head.message_id := message_id;
      written_message := message_id;
      update conversation_heads
        set ordinal = ordinal + 1, first_message_id = coalesce(first_message_id, message_id)
        where realm_id = p_realm and conversation_id = (m ->> 'conversationId')::bigint
        returning * into strict conversation;
      readers := array(select jsonb_array_elements_text(m -> 'readBy')::int);
      non_readers := case when m ? 'unreadFor' then array(select jsonb_array_elements_text(m -> 'unreadFor')::int) end;
      insert into messages (
        id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
        rendered_content, rendered_version, client, has_link, has_image, has_attachment, queue_id, local_id, mentions_channel,
        read_by, unread_for, previews_due_at
      ) values (
        message_id, p_realm, conversation.conversation_id, conversation.ordinal, (m ->> 'channelId')::int,
        (m ->> 'topicId')::bigint, (m ->> 'senderId')::int, sent, m ->> 'content',
        m ->> 'renderedContent', (m ->> 'renderedVersion')::smallint, m ->> 'client',
        (m #>> '{has,link}')::boolean, (m #>> '{has,image}')::boolean, (m #>> '{has,attachment}')::boolean,
        m #>> '{echo,queueId}', m #>> '{echo,localId}', coalesce((m ->> 'mentionsChannel')::boolean, false),
        readers, non_readers, case when m ? 'previewsDue' then now_at end
      );
      if m ? 'alsoReceivedBy' then
        update conversation_members
          set received = received + int8multirange(int8range(conversation.ordinal, conversation.ordinal + 1))
          where realm_id = p_realm and conversation_id = conversation.conversation_id
            and user_id in (select value::int from jsonb_array_elements_text(m -> 'alsoReceivedBy'));
      end if;
      if m ? 'flags' then
        insert into message_flags (
          realm_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word
        ) select p_realm, c.user_id, append_events.message_id, bool_or(f.key = 'mentioned'),
              bool_or(f.key = 'topic_wildcard_mentioned'), bool_or(f.key = 'has_alert_word')
            from jsonb_each(m -> 'flags') f, jsonb_array_elements_text(f.value) u
            join conversation_members c
              on c.realm_id = p_realm and c.conversation_id = conversation.conversation_id and c.user_id = u.value::int
            where c.received @> conversation.ordinal
            group by c.user_id;
      end if;
      if m ? 'attachments' then
        insert into message_attachments (realm_id, message_id, attachment_id)
          select p_realm, append_events.message_id, value::bigint from jsonb_array_elements_text(m -> 'attachments');
      end if;
      if m ? 'webhooks' then
        insert into webhook_deliveries (id, realm_id, bot_id, message_id, conversation_id, trigger, queued_at)
          select w.id, p_realm, w."botId", append_events.message_id, conversation.conversation_id, w.trigger, now_at
            from jsonb_to_recordset(m -> 'webhooks') w (id bigint, "botId" int, trigger text);
      end if;
      written_widget := '{}';
      if m ? 'widget' then
        insert into submessages (realm_id, message_id, sender_id, type, content)
          values (p_realm, append_events.message_id, (m ->> 'senderId')::int, 'widget', m ->> 'widget')
          returning id into strict submessage_id;
        written_widget := jsonb_build_object('submessages', jsonb_build_array(jsonb_build_object(
          'id', submessage_id, 'message_id', message_id, 'sender_id', (m ->> 'senderId')::int,
          'msg_type', 'widget', 'content', m ->> 'widget'
        )));
      end if;
      if pending ? 'opening' and conversation.first_message_id = message_id then
        return query select 'opening', null::bigint, head.seq + 1, log_event(
          p_realm, head.seq + 1, now_at, pending -> 'opening',
          pending #> '{opening,event}' || jsonb_build_object('value', message_id), terms
        );
        head.seq := head.seq + 1;
        terms := terms - 'previousTerm';
      end if;
    end if;
    if m is not null or pending ? 'copiesMessage' then
      body := jsonb_set(
        body, '{message}',
        (body -> 'message') || jsonb_build_object(
          'id', written_message, 'timestamp', floor(extract(epoch from sent))::bigint
        ) || written_widget
      );
    end if;

    -- Entries without an event, which leave their ids to this one.
    for number in 1 .. coalesce((pending ->> 'rooms')::int, 0) loop
      head.seq := head.seq + 1;
      return query select 'opening', null::bigint, head.seq, log_event(
        p_realm, head.seq, now_at, '{"users":[]}', '{"type":"room","reserved":true}', terms
      );
      terms := terms - 'previousTerm';
    end loop;

    head.seq := head.seq + 1;
    seq := head.seq;
    entry := log_event(p_realm, seq, now_at, pending, body, terms);
    terms := terms - 'previousTerm';
    return next;
  end loop;

  -- Without an entry the term does not begin: the head's is that of the newest entry.
  update realm_heads h
    set seq = head.seq,
        message_id = case when h.seq < head.seq then head.message_id else h.message_id end,
        term = case when h.seq < head.seq then own_term else h.term end,
        rules_version = (not p_keeps_rules)::int + case
          when h.seq = head.seq then h.rules_version when head.term = '' then next_rules_version(head.rules_version, head.term, own_term) else rules
        end
    where h.realm_id = p_realm;
end
$$;
