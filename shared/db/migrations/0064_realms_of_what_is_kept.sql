-- online
/*
  What is to be sent, uploads that arrive in pieces and exports say their realm, and their keys begin with it.
*/

alter table scheduled_messages add column realm_id int;
alter table scheduled_message_attachments add column realm_id int;
alter table partial_upload_pieces add column realm_id int;
alter table realm_export_parts add column realm_id int;
create trigger name_realm before insert on scheduled_messages
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on scheduled_message_attachments
  for each row when (new.realm_id is null) execute function name_realm('scheduled_messages', 'scheduled_message_id');
create trigger name_realm before insert on partial_upload_pieces
  for each row when (new.realm_id is null) execute function name_realm('partial_uploads', 'upload_id');
create trigger name_realm before insert on realm_export_parts
  for each row when (new.realm_id is null) execute function name_realm('realm_exports', 'export_id');

-- backfill scheduled_messages t
update scheduled_messages t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill scheduled_message_attachments t
update scheduled_message_attachments t set realm_id = (select p.realm_id from scheduled_messages p where p.id = t.scheduled_message_id)
where portion and t.realm_id is null;
-- backfill partial_upload_pieces t
update partial_upload_pieces t set realm_id = (select p.realm_id from partial_uploads p where p.id = t.upload_id)
where portion and t.realm_id is null;
-- backfill realm_export_parts t
update realm_export_parts t set realm_id = (select p.realm_id from realm_exports p where p.id = t.export_id)
where portion and t.realm_id is null;

create unique index concurrently realm_scheduled_messages_pkey on scheduled_messages (realm_id, id);
create unique index concurrently scheduled_messages_without_realm on scheduled_messages (id);
create unique index concurrently realm_scheduled_message_attachments_pkey on scheduled_message_attachments (realm_id, scheduled_message_id, attachment_id);
create unique index concurrently scheduled_message_attachments_without_realm on scheduled_message_attachments (scheduled_message_id, attachment_id);
create unique index concurrently realm_reminders_pkey on reminders (realm_id, id);
create unique index concurrently reminders_without_realm on reminders (id);
create unique index concurrently realm_partial_uploads_pkey on partial_uploads (realm_id, id);
create unique index concurrently partial_uploads_without_realm on partial_uploads (id);
create unique index concurrently realm_partial_upload_pieces_pkey on partial_upload_pieces (realm_id, upload_id, start);
create unique index concurrently partial_upload_pieces_without_realm on partial_upload_pieces (upload_id, start);
create unique index concurrently realm_realm_exports_pkey on realm_exports (realm_id, id);
create unique index concurrently realm_exports_without_realm on realm_exports (id);
create unique index concurrently realm_realm_export_parts_pkey on realm_export_parts (realm_id, export_id, number);
create unique index concurrently realm_export_parts_without_realm on realm_export_parts (export_id, number);

alter table scheduled_messages add constraint has_realm check (realm_id is not null) not valid;
alter table scheduled_messages validate constraint has_realm;
alter table scheduled_message_attachments add constraint has_realm check (realm_id is not null) not valid;
alter table scheduled_message_attachments validate constraint has_realm;
alter table partial_upload_pieces add constraint has_realm check (realm_id is not null) not valid;
alter table partial_upload_pieces validate constraint has_realm;
alter table realm_export_parts add constraint has_realm check (realm_id is not null) not valid;
alter table realm_export_parts validate constraint has_realm;
alter table scheduled_messages add constraint realm_scheduled_messages_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table scheduled_messages validate constraint realm_scheduled_messages_user_id_fkey;
alter table scheduled_message_attachments add constraint realm_scheduled_message_attachments_scheduled_message_id_fkey
  foreign key (realm_id, scheduled_message_id) references scheduled_messages (realm_id, id) on delete cascade not valid;
alter table scheduled_message_attachments validate constraint realm_scheduled_message_attachments_scheduled_message_id_fkey;
alter table scheduled_message_attachments add constraint realm_scheduled_message_attachments_attachment_id_fkey
  foreign key (realm_id, attachment_id) references attachments (realm_id, id) on delete cascade not valid;
alter table scheduled_message_attachments validate constraint realm_scheduled_message_attachments_attachment_id_fkey;
alter table partial_upload_pieces add constraint realm_partial_upload_pieces_upload_id_fkey
  foreign key (realm_id, upload_id) references partial_uploads (realm_id, id) on delete cascade not valid;
alter table partial_upload_pieces validate constraint realm_partial_upload_pieces_upload_id_fkey;
alter table realm_export_parts add constraint realm_realm_export_parts_export_id_fkey
  foreign key (realm_id, export_id) references realm_exports (realm_id, id) not valid;
alter table realm_export_parts validate constraint realm_realm_export_parts_export_id_fkey;

begin;
lock table
  users, attachments, scheduled_messages, scheduled_message_attachments, reminders, partial_uploads,
  partial_upload_pieces, realm_exports, realm_export_parts
  in access exclusive mode;
alter table scheduled_messages drop constraint scheduled_messages_user_id_fkey;
-- contract: nobody names it
alter table scheduled_messages rename constraint realm_scheduled_messages_user_id_fkey to scheduled_messages_user_id_fkey;
alter table scheduled_message_attachments drop constraint scheduled_message_attachments_scheduled_message_id_fkey;
-- contract: nobody names it
alter table scheduled_message_attachments rename constraint realm_scheduled_message_attachments_scheduled_message_id_fkey to scheduled_message_attachments_scheduled_message_id_fkey;
alter table scheduled_message_attachments drop constraint scheduled_message_attachments_attachment_id_fkey;
-- contract: nobody names it
alter table scheduled_message_attachments rename constraint realm_scheduled_message_attachments_attachment_id_fkey to scheduled_message_attachments_attachment_id_fkey;
alter table partial_upload_pieces drop constraint partial_upload_pieces_upload_id_fkey;
-- contract: nobody names it
alter table partial_upload_pieces rename constraint realm_partial_upload_pieces_upload_id_fkey to partial_upload_pieces_upload_id_fkey;
alter table realm_export_parts drop constraint realm_export_parts_export_id_fkey;
-- contract: nobody names it
alter table realm_export_parts rename constraint realm_realm_export_parts_export_id_fkey to realm_export_parts_export_id_fkey;
-- contract: a trigger fills what the version before does not write
alter table scheduled_messages alter column realm_id set not null;
alter table scheduled_messages drop constraint has_realm;
alter table scheduled_messages drop constraint scheduled_messages_pkey;
alter table scheduled_messages add constraint scheduled_messages_pkey primary key using index realm_scheduled_messages_pkey;
-- contract: a trigger fills what the version before does not write
alter table scheduled_message_attachments alter column realm_id set not null;
alter table scheduled_message_attachments drop constraint has_realm;
alter table scheduled_message_attachments drop constraint scheduled_message_attachments_pkey;
alter table scheduled_message_attachments add constraint scheduled_message_attachments_pkey primary key using index realm_scheduled_message_attachments_pkey;
alter table reminders drop constraint reminders_pkey;
alter table reminders add constraint reminders_pkey primary key using index realm_reminders_pkey;
alter table partial_uploads drop constraint partial_uploads_pkey;
alter table partial_uploads add constraint partial_uploads_pkey primary key using index realm_partial_uploads_pkey;
-- contract: a trigger fills what the version before does not write
alter table partial_upload_pieces alter column realm_id set not null;
alter table partial_upload_pieces drop constraint has_realm;
alter table partial_upload_pieces drop constraint partial_upload_pieces_pkey;
alter table partial_upload_pieces add constraint partial_upload_pieces_pkey primary key using index realm_partial_upload_pieces_pkey;
alter table realm_exports drop constraint realm_exports_pkey;
alter table realm_exports add constraint realm_exports_pkey primary key using index realm_realm_exports_pkey;
-- contract: a trigger fills what the version before does not write
alter table realm_export_parts alter column realm_id set not null;
alter table realm_export_parts drop constraint has_realm;
alter table realm_export_parts drop constraint realm_export_parts_pkey;
alter table realm_export_parts add constraint realm_export_parts_pkey primary key using index realm_realm_export_parts_pkey;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_keys_without_realm(); end if;
end $$;
