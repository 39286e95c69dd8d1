/*
  Changes flags of many people at once, each on messages of their own, and appends an entry for each of them whose flags
  changed, as append_events does with any event and by the same laws: a statement per table for all of them instead of a
  transaction for each. It must be the last statement of its transaction.

  The first five arrays have an element per change. Nobody may have two changes among them.

  p_users           who changes flags
  p_accounts        JSON array: what the account was when the change was asked for (accountOf in shared/model), or null
  p_rules_versions  the rules that the change depends on; null if it depends on none
  p_flags           'read', 'starred' or 'collapsed'
  p_adds            false to remove the flag; 'read' is not removed here
  p_events          JSON of the events, a line each, up to where the messages follow, which are its last field:
                    {"type":"update_message_flags", …,"all":false
  p_places          for each message, the place in the arrays above, from 1, of the change that it belongs to
  p_messages        the messages, each once for a change
  p_channels        the channel in which a message was readable for who adds a flag to it; null for a direct message

  Returns one row per change, in order, with the messages whose flags changed:
    'written'    its entry is there
    'unchanged'  no flag changed; seq and entry name the head of the log, so that whoever acknowledges the change knows how far
                 the log was when it had been made
    'alone'      it needs a transaction of its own: the account or the rules have changed, a message is gone or elsewhere, or
                 a row is locked by somebody else. Nobody waits for what one of them waits for

  Rows are locked without waiting and before the head row, behind which nothing may be waited for. PL054 is a code of ours: the
  rules have changed meanwhile, and nothing is written.
*/
create or replace function append_flags(
  p_realm int, p_users int[], p_accounts jsonb, p_rules_versions bigint[], p_flags text[], p_adds boolean[],
  p_events text, p_places int[], p_messages bigint[], p_channels int[]
)
returns table (outcome text, changed bigint[], seq bigint, entry text)
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
  -- Whether each change is made here.
  here boolean[];
  locked boolean[];
  -- The messages of each change whose flags changed, as an array.
  marks text[];
  flagged record;
  flagged_users int[];
  flagged_messages bigint[];
  entries int;
  seqs bigint[];
  texts text[];
begin
  select h.seq, rules_version_of(h.rules_version, h.term, log_term(h.epoch)) into strict head.seq, rules
    from realm_heads h where h.realm_id = p_realm;

  select array_agg(coalesce(d.rules_version, rules) = rules and (a.account = 'null' or coalesce(
      u.is_active and r.is_active and a.account = jsonb_build_object(
        'role', u.role, 'isFullMember', u.is_full_member, 'groupIds', u.group_ids, 'keyGeneration', u.key_generation,
        'botOwnerId', u.bot_owner_id
      ), false
    )) order by d.place) into here
    from unnest(p_users, p_rules_versions) with ordinality d (user_id, rules_version, place)
    join jsonb_array_elements(p_accounts) with ordinality a (account, place) on a.place = d.place
    left join users u on u.id = d.user_id and u.realm_id = p_realm
    left join realms r on r.id = u.realm_id;

  if 'read' = any (p_flags) then
    -- The realm comes from a row, and members are looked up one by one (`offset 0`): Postgres would take those of a realm, or of
    -- a conversation in it, for few, and read all of them.
    with wanted as materialized (
      select p_realm as realm_id, w.place, w.message_id, p_users[w.place] as user_id
        from unnest(p_places, p_messages) w (place, message_id) where p_flags[w.place] = 'read' and here[w.place]
    ), member as materialized (
      select distinct w.realm_id, w.place, c.conversation_id, c.user_id
        from wanted w
        join messages m on m.realm_id = w.realm_id and m.id = w.message_id
        cross join lateral (
          select c.conversation_id, c.user_id from conversation_members c
            where c.realm_id = w.realm_id and c.conversation_id = m.conversation_id and c.user_id = w.user_id offset 0
        ) c
    ), held as materialized (
      select c.conversation_id, c.user_id
        from (select m.realm_id, m.conversation_id, m.user_id from member m order by 2, 3) m
        join conversation_members c
          on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = m.user_id
        for update of c skip locked
    )
    select array_agg(here[d.place] and not d.place = any (array(
        select m.place from member m
          where not exists (select from held h where h.conversation_id = m.conversation_id and h.user_id = m.user_id)
      )) order by d.place) into locked
      from generate_series(1, cardinality(p_users)) d (place);
    here := locked;
  end if;

  if p_flags <> array_fill('read'::text, array[cardinality(p_flags)]) then
    -- What the rows of flags refer to is locked as the check of that would, which waits.
    with wanted as materialized (
      select w.place, w.message_id, w.channel_id from unnest(p_places, p_messages, p_channels) w (place, message_id, channel_id)
        where p_flags[w.place] <> 'read' and here[w.place]
    ), owner as materialized (
      select u.id from users u where u.realm_id = p_realm and u.id in (select p_users[w.place] from wanted w where p_adds[w.place])
        for key share skip locked
    ), message as materialized (
      select m.id, m.channel_id from messages m
        where m.realm_id = p_realm and m.id in (select w.message_id from wanted w where p_adds[w.place])
        for share skip locked
    ), flag as materialized (
      select f.user_id, f.message_id from message_flags f
        join wanted w on f.realm_id = p_realm and f.user_id = p_users[w.place] and f.message_id = w.message_id
        for update of f skip locked
    )
    select array_agg(here[d.place] and not d.place = any (array(
        select w.place from wanted w
          where (p_adds[w.place] and not exists (select from owner o where o.id = p_users[w.place]))
            or (p_adds[w.place] and not exists (
              select from message m where m.id = w.message_id and m.channel_id is not distinct from w.channel_id
            ))
            or (exists (
              select from message_flags f
                where f.realm_id = p_realm and f.user_id = p_users[w.place] and f.message_id = w.message_id
            ) and not exists (
              select from flag f where f.user_id = p_users[w.place] and f.message_id = w.message_id
            ))
      )) order by d.place) into locked
      from generate_series(1, cardinality(p_users)) d (place);
    here := locked;
  end if;

  -- Each of the two ways stands by itself: on one of several servers, rows that one statement reads and writes would be sent
  -- to all of them.
  marks := array_fill(null::text, array[cardinality(p_users)]);
  if 'read' = any (p_flags) then
    with wanted as materialized (
      select p_realm as realm_id, w.place, p_users[w.place] as user_id, w.message_id
        from unnest(p_places, p_messages) w (place, message_id) where p_flags[w.place] = 'read' and here[w.place]
    ), unread as materialized (
      select w.realm_id, w.place, w.user_id, m.id, m.conversation_id, m.ordinal
        from wanted w
        join messages m on m.realm_id = w.realm_id and m.id = w.message_id
        cross join lateral (
          select c.received, c.read from conversation_members c
            where c.realm_id = w.realm_id and c.conversation_id = m.conversation_id and c.user_id = w.user_id offset 0
        ) c
        where m.ordinal <@ c.received and not m.ordinal <@ c.read
          and not m.read_by @> array[w.user_id] and (m.unread_for is null or m.unread_for @> array[w.user_id])
    ), span as (
      select u.realm_id, u.conversation_id, u.user_id, min(u.ordinal) as low, max(u.ordinal) as high,
          range_agg(int8range(u.ordinal, u.ordinal + 1)) as ranges
        from unread u group by u.realm_id, u.conversation_id, u.user_id
    ), reader as (
      update conversation_members c
        set read = c.read + s.ranges + coalesce((
          -- Messages between that arrived as read join the ranges, which would be split around them otherwise.
          select range_agg(int8range(m.ordinal, m.ordinal + 1)) from messages m
            where s.high - s.low < 10000 and m.realm_id = p_realm and m.conversation_id = s.conversation_id
              and m.ordinal between s.low - 1 and s.high + 1 and m.read_by @> array[s.user_id]
        ), '{}')
        from span s where c.realm_id = s.realm_id and c.conversation_id = s.conversation_id and c.user_id = s.user_id
    ), marked as (
      select u.place, array_agg(u.id order by u.id)::text as messages from unread u group by u.place
    )
    select array_agg(m.messages order by d.place) into marks
      from generate_series(1, cardinality(p_users)) d (place) left join marked m on m.place = d.place;
  end if;

  if p_flags <> array_fill('read'::text, array[cardinality(p_flags)]) then
    for flagged in
      insert into message_flags as f (realm_id, user_id, message_id, starred, collapsed)
        select p_realm, p_users[w.place], w.message_id, p_flags[w.place] = 'starred', p_flags[w.place] = 'collapsed'
          from unnest(p_places, p_messages) w (place, message_id)
          where p_flags[w.place] <> 'read' and p_adds[w.place] and here[w.place] order by 2, 3
        on conflict (realm_id, user_id, message_id) do update
          set starred = f.starred or excluded.starred, collapsed = f.collapsed or excluded.collapsed
          where (excluded.starred and not f.starred) or (excluded.collapsed and not f.collapsed)
        returning f.user_id, f.message_id
    loop
      flagged_users := flagged_users || flagged.user_id;
      flagged_messages := flagged_messages || flagged.message_id;
    end loop;
    for flagged in
      update message_flags f
        set starred = f.starred and w.flag <> 'starred', collapsed = f.collapsed and w.flag <> 'collapsed'
        from (
          select p_users[u.place] as user_id, u.message_id, p_flags[u.place] as flag
            from unnest(p_places, p_messages) u (place, message_id)
            where p_flags[u.place] <> 'read' and not p_adds[u.place] and here[u.place]
        ) w
        where f.realm_id = p_realm and f.user_id = w.user_id and f.message_id = w.message_id
          and case w.flag when 'starred' then f.starred else f.collapsed end
        returning f.user_id, f.message_id
    loop
      flagged_users := flagged_users || flagged.user_id;
      flagged_messages := flagged_messages || flagged.message_id;
    end loop;
    select array_agg(coalesce(m.messages, marks[d.place]) order by d.place) into marks
      from unnest(p_users) with ordinality d (user_id, place)
      left join (
        select f.user_id, array_agg(f.id order by f.id)::text as messages
          from unnest(flagged_users, flagged_messages) f (user_id, id) group by f.user_id
      ) m on m.user_id = d.user_id;
  end if;
  entries := cardinality(array_remove(marks, null));

  if entries > 0 then
    -- The term is read with the head: it is that of the server which holds the log.
    select h.realm_id, h.epoch, h.seq, h.term, h.message_id, h.rules_version, log_term(h.epoch)
      into strict head.realm_id, head.epoch, head.seq, head.term, head.message_id, head.rules_version, own_term
      from realm_heads h where h.realm_id = p_realm for update;
    if rules_version_of(head.rules_version, head.term, own_term) <> rules then
      raise exception 'the rules of realm % have changed', p_realm using errcode = 'PL054';
    end if;
    terms := ',"term":"' || own_term || '","audience":';
    first_terms := case when head.term = own_term then terms
      else ',"term":"' || own_term || '","previousTerm":"' || head.term || '","audience":' end;
    first_seq := head.seq + 1;
    -- The time is read under the lock, so that times and seqs are in the same order.
    now_at := clock_timestamp();
    update realm_heads h
      set seq = head.seq + entries, term = own_term,
          rules_version = case when head.term = '' then next_rules_version(head.rules_version, head.term, own_term) else rules end,
          message_id = last_message_id(head, own_term, 0, is_shared)
      where h.realm_id = p_realm;
  else
    -- It is read behind what was found to be so already: the log has what made it so.
    select h.seq, h.term into strict head.seq, head.term from realm_heads h where h.realm_id = p_realm;
  end if;

  select array_agg(d.seq order by d.place), array_agg(case when d.messages is not null then
      '{"seq":' || d.seq || case when d.seq = first_seq then first_terms else terms end
        || '{"users":[' || d.user_id || ']},"event":' || d.event || ',"messages":[' || trim(d.messages, '{}')
        || ']}}' end order by d.place)
    into seqs, texts
    from (
      select d.place, d.messages, d.user_id, d.event, first_seq - 1 + count(d.messages) over (order by d.place) as seq
        from unnest(p_users, marks, string_to_array(p_events, E'\n')) with ordinality d (user_id, messages, event, place)
    ) d;

  if entries > 0 then
    insert into event_log (realm_id, seq, appended_at, entry, bytes)
      select p_realm, d.seq, now_at, d.entry::json, octet_length(d.entry)
        from unnest(seqs, texts) d (seq, entry) where d.entry is not null;
  end if;

  return query
    select case when d.messages is not null then 'written' when here[d.place] then 'unchanged' else 'alone' end,
        d.messages::bigint[], case when d.messages is not null then d.seq when here[d.place] then head.seq end,
        case when d.messages is not null then d.entry
          when here[d.place] then '{"seq":' || head.seq || ',"term":"' || head.term || '"}' end
      from unnest(marks, seqs, texts) with ordinality d (messages, seq, entry, place)
      order by d.place;
end
$$;
