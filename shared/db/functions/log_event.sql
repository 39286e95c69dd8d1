/*
  Writes one entry of the log and returns it as text. Everything that depends on the position in the log is fixed here,
  under the head lock: the audience (nobody joins or leaves between this entry and the next), the messages that refer
  to an upload, and the flags that a message has for its readers.

  p_terms  what the entry says of terms: { term, previousTerm? }
*/
create or replace function log_event(
  p_realm int, p_seq bigint, p_at timestamptz, p_pending jsonb, p_event jsonb, p_terms jsonb
)
returns text
language plpgsql as $$
declare
  event jsonb := p_event;
  entry jsonb;
  written text;
begin
  if p_pending ? 'attachment' then
    event := event || jsonb_build_object(
      'upload_space_used', coalesce((select bytes from upload_usage where realm_id = p_realm), 0)
    );
    if event ->> 'op' <> 'remove' then
      event := jsonb_set(event, '{attachment,messages}', coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'date_sent', floor(extract(epoch from sent_at))::bigint * 1000) order by id)
        from (
          select m.id, m.sent_at from message_attachments r join messages m on m.realm_id = r.realm_id and m.id = r.message_id
          where r.realm_id = p_realm and r.attachment_id = (p_pending #>> '{attachment,id}')::bigint
          order by m.id desc limit 500
        ) newest
      ), '[]'));
    end if;
  end if;
  if p_pending ? 'sharedFlagsOf' then
    event := jsonb_set(event, '{shared_flags}', shared_flags_of(p_realm, (p_pending ->> 'sharedFlagsOf')::bigint));
  end if;
  if p_pending ? 'subscribersOf' then
    event := event || jsonb_build_object('subscribers_of', (
      select audience_id from conversation_heads
        where realm_id = p_realm and conversation_id = (p_pending ->> 'subscribersOf')::bigint
    ));
  end if;
  entry := p_terms || jsonb_strip_nulls(jsonb_build_object(
    'seq', p_seq,
    'revokes', p_pending -> 'revokes',
    'rooms', p_pending -> 'rooms',
    'audience', jsonb_build_object(
      'users', p_pending -> 'users',
      'except', p_pending -> 'except',
      'open', p_pending -> 'open',
      'members', (
        select jsonb_agg(audience_id) from conversation_heads
          where p_pending ? 'conversations' and realm_id = p_realm
            and conversation_id in (select value::bigint from jsonb_array_elements_text(p_pending -> 'conversations'))
      )
    )
  )) || jsonb_build_object('event', event);
  written := entry::text;
  insert into event_log (realm_id, seq, appended_at, entry, bytes) values (
    p_realm, p_seq, p_at, written::json, octet_length(written)
  );
  return written;
end
$$;
