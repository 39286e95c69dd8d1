-- The head of a realm's log. Its row lock orders everything that clients hear of.
create table realm_heads (
  realm_id int primary key references realms,
  epoch uuid not null default gen_random_uuid(),
  seq bigint not null default 0,
  -- Rises when something changes that a plan for sending, made earlier, may depend on.
  rules_version bigint not null default 0
) with (fillfactor = 50);

-- Immutable sets of user ids, as portable Roaring bitmaps.
create table audiences (
  id bigint generated always as identity primary key,
  realm_id int not null,
  members bytea not null,
  -- From then on no new entry refers to it.
  superseded_at timestamptz
);
create index audiences_superseded on audiences (superseded_at) where superseded_at is not null;

-- What the log keeps about a conversation. Only append_to_log writes here.
create table conversation_heads (
  conversation_id bigint primary key references conversations,
  ordinal bigint not null default 0,
  audience_id bigint references audiences,
  first_message_id int
) with (fillfactor = 50);

create table event_log (
  realm_id int not null,
  seq bigint not null,
  appended_at timestamptz not null,
  entry jsonb not null,
  primary key (realm_id, seq)
);
create index event_log_age on event_log using brin (appended_at);

-- Writes one entry. Who hears it is fixed here, under the head lock: nobody joins or leaves between the entry and its
-- place in the log.
create function log_event(p_realm int, p_seq bigint, p_at timestamptz, draft jsonb, event jsonb) returns text
language plpgsql as $$
declare
  written text;
begin
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

/*
  The one way into the log. Must be the last statement of its transaction: from here to the commit the realm's head
  row is locked, and nothing else is waited for.

  drafts       array of { event, users?, conversations?, except?, open?, revokes?, rulesVersion?, message?, opening?,
                 firstMessage? }
  moves        array of { conversation, audience, joined: [user], left: [user] }
  keeps_rules  false when something that plans for sending depend on has changed

  Returns one row per draft, in order: its entry as it is published (null unless written) and what became of it: 'written',
  'repeated' (an earlier message with the same local echo; message_id is that one's) or 'stale' (the rules changed
  after the draft was planned). The first message of a conversation has a row 'opening' before its own.
*/
create function append_to_log(p_realm int, drafts jsonb, moves jsonb, keeps_rules boolean)
returns table (outcome text, message_id int, seq bigint, entry text)
language plpgsql as $$
declare
  head realm_heads;
  conversation conversation_heads;
  draft jsonb;
  m jsonb;
  body jsonb;
  now_at timestamptz;
begin
  select * into strict head from realm_heads where realm_id = p_realm for update;
  -- Taken under the lock, so that times never run against the order of the log.
  now_at := clock_timestamp();

  for m in select * from jsonb_array_elements(moves) loop
    update audiences set superseded_at = now_at
      where id = (select audience_id from conversation_heads where conversation_id = (m ->> 'conversation')::bigint);
    update conversation_heads set audience_id = (m ->> 'audience')::bigint
      where conversation_id = (m ->> 'conversation')::bigint
      returning * into strict conversation;
    update conversation_members
      set is_subscribed = true,
          received = received + int8multirange(int8range(conversation.ordinal + 1, null))
      where conversation_id = conversation.conversation_id
        and user_id in (select value::int from jsonb_array_elements_text(m -> 'joined'));
    update conversation_members
      set is_subscribed = false,
          received = received - int8multirange(int8range(conversation.ordinal + 1, null))
      where conversation_id = conversation.conversation_id
        and user_id in (select value::int from jsonb_array_elements_text(m -> 'left'));
  end loop;

  for draft in select * from jsonb_array_elements(drafts) loop
    outcome := 'written';
    message_id := null;
    seq := null;
    entry := null;
    body := draft -> 'event';
    m := draft -> 'message';

    if draft ? 'firstMessage' then
      select * into strict conversation from conversation_heads
        where conversation_id = (draft #>> '{firstMessage,conversationId}')::bigint;
      body := jsonb_set(
        body, array(select jsonb_array_elements_text(draft #> '{firstMessage,path}')),
        coalesce(to_jsonb(conversation.first_message_id), 'null')
      );
    end if;

    if (draft ->> 'rulesVersion')::bigint < head.rules_version then
      outcome := 'stale';
      return next;
      continue;
    end if;

    if m is not null then
      if m ? 'echo' then
        select id into message_id from messages
          where sender_id = (m ->> 'senderId')::int
            and queue_id = m #>> '{echo,queueId}' and local_id = m #>> '{echo,localId}';
        if found then
          outcome := 'repeated';
          return next;
          continue;
        end if;
      end if;

      message_id := nextval('message_ids');
      update conversation_heads
        set ordinal = ordinal + 1, first_message_id = coalesce(first_message_id, message_id)
        where conversation_id = (m ->> 'conversationId')::bigint
        returning * into strict conversation;
      insert into messages (
        id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
        rendered_content, client, read_by_sender, has_link, has_image, has_attachment, queue_id, local_id
      ) values (
        message_id, p_realm, conversation.conversation_id, conversation.ordinal, (m ->> 'channelId')::int,
        (m ->> 'topicId')::bigint, (m ->> 'senderId')::int, now_at, m ->> 'content',
        m ->> 'renderedContent', m ->> 'client', (m ->> 'readBySender')::boolean,
        (m #>> '{has,link}')::boolean, (m #>> '{has,image}')::boolean, (m #>> '{has,attachment}')::boolean,
        m #>> '{echo,queueId}', m #>> '{echo,localId}'
      );
      if draft ? 'opening' and conversation.first_message_id = message_id then
        return query select 'opening', null::int, head.seq + 1, log_event(
          p_realm, head.seq + 1, now_at, draft -> 'opening',
          draft #> '{opening,event}' || jsonb_build_object('value', message_id)
        );
        head.seq := head.seq + 1;
      end if;
      body := jsonb_set(
        body, '{message}',
        (body -> 'message') || jsonb_build_object(
          'id', message_id, 'timestamp', floor(extract(epoch from now_at))::bigint
        )
      );
    end if;

    head.seq := head.seq + 1;
    seq := head.seq;
    entry := log_event(p_realm, seq, now_at, draft, body);
    return next;
  end loop;

  update realm_heads
    set seq = head.seq, rules_version = rules_version + (not keeps_rules)::int
    where realm_id = p_realm;
end
$$;

-- A realm's log starts empty. Its epoch tells its numbers from those of any log before it.
create function found_log(p_realm int) returns void language sql as $$
  insert into realm_heads (realm_id) values (p_realm)
$$;

-- A conversation starts with the audience of nobody, so that "no members" never reads as "everyone".
create function found_conversation(p_realm int, p_conversation bigint) returns void language sql as $$
  with nobody as (
    -- The empty portable Roaring bitmap.
    insert into audiences (realm_id, members) values (p_realm, '\x3a30000000000000') returning id
  )
  insert into conversation_heads (conversation_id, audience_id) select p_conversation, id from nobody
$$;
