-- What belonged to deleted messages, so that it can be restored with them: rows of reactions, message_flags,
-- message_edits, submessages and message_attachments, by the names of the tables.
alter table archived_messages add column belongings jsonb not null default '{}';
create index archived_messages_of_realm on archived_messages (realm_id, id);
