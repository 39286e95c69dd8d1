-- online
/*
  What is unique is unique in its organization: the place of a message in its conversation, a local echo, the path of an
  upload, which begins with the organization's number, and the conversation of a channel. Indexes whose names end with
  `without_realm` are for nodes of the version before.
*/

create unique index concurrently realm_messages_ordinal on messages (realm_id, conversation_id, ordinal) include (id);
create unique index concurrently realm_messages_echo on messages (realm_id, sender_id, queue_id, local_id)
  where queue_id is not null;
create unique index concurrently attachments_path on attachments (realm_id, path_id);
create index concurrently attachments_path_without_realm on attachments (path_id);
create unique index concurrently channels_conversation on channels (realm_id, conversation_id);
create index concurrently channels_conversation_without_realm on channels (conversation_id);

begin;
lock table messages, attachments, channels in access exclusive mode;
-- contract: nobody names it
alter index messages_ordinal rename to messages_ordinal_without_realm;
-- contract: nobody names it
alter index realm_messages_ordinal rename to messages_ordinal;
drop index messages_echo;
-- contract: nobody names it
alter index realm_messages_echo rename to messages_echo;
alter table attachments drop constraint attachments_path_id_key;
alter table channels drop constraint channels_conversation_id_key;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_keys_without_realm(); end if;
end $$;
