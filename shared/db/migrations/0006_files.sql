-- Null is no quota.
alter table realms add column upload_quota_mib int;

alter table attachments
  -- When a message last stopped referring to it.
  add column released_at timestamptz;
create index attachments_age on attachments (created_at);

-- What a realm's uploads take. The row is held from before an upload's row is written or deleted to the commit, so
-- that quotas hold and the sums that clients are told are in the order of the log.
create table upload_usage (
  realm_id int primary key references realms,
  bytes bigint not null default 0
);

-- Folders of the file store that no row refers to: those being filled, until they have a row, and those that lost it.
create table loose_folders (
  folder text primary key,
  remove_after timestamptz not null
);
create index loose_folders_due on loose_folders (remove_after);

-- Writes one entry. Who hears it is fixed here, under the head lock: nobody joins or leaves between the entry and its
-- place in the log. So is what an event about an upload says of the messages that refer to it.
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
