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
