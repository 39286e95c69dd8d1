-- online
/*
  Keys begin with the realm. Jobs know the id of a mail, a notification, a delivery and a change of an address alone, and
  some statements that of an upload or a group: an index finds these by it.
*/

create unique index concurrently channel_folders_without_realm on channel_folders (id);
create unique index concurrently realm_default_channel_groups_pkey on default_channel_groups (realm_id, id);
create unique index concurrently default_channel_groups_without_realm on default_channel_groups (id);
create unique index concurrently realm_email_changes_pkey on email_changes (realm_id, id);
create index concurrently email_changes_id on email_changes (id);
create unique index concurrently invitations_without_realm on invitations (id);
create unique index concurrently realm_linkifiers_pkey on linkifiers (realm_id, id);
create unique index concurrently linkifiers_without_realm on linkifiers (id);
create unique index concurrently realm_playgrounds_pkey on playgrounds (realm_id, id);
create unique index concurrently playgrounds_without_realm on playgrounds (id);
create unique index concurrently realm_realm_domains_pkey on realm_domains (realm_id, id);
create unique index concurrently realm_domains_without_realm on realm_domains (id);
create unique index concurrently realm_realm_emoji_pkey on realm_emoji (realm_id, id);
create unique index concurrently realm_emoji_without_realm on realm_emoji (id);
create index concurrently user_groups_id on user_groups (id);
create index concurrently attachments_id on attachments (id);
create unique index concurrently realm_message_edits_pkey on message_edits (realm_id, id);
create unique index concurrently realm_message_moves_pkey on message_moves (realm_id, id);
create unique index concurrently realm_reactions_pkey on reactions (realm_id, id);
create unique index concurrently realm_submessages_pkey on submessages (realm_id, id);
create unique index concurrently realm_mails_pkey on mails (realm_id, id);
create index concurrently mails_id on mails (id);
create unique index concurrently realm_pending_notifications_pkey on pending_notifications (realm_id, id);
create index concurrently pending_notifications_id on pending_notifications (id);
create unique index concurrently realm_presences_pkey on presences (realm_id, user_id);
create unique index concurrently presences_without_realm on presences (user_id);
create unique index concurrently realm_push_tokens_pkey on push_tokens (realm_id, id);
create unique index concurrently push_tokens_without_realm on push_tokens (id);
create unique index concurrently realm_webhook_deliveries_pkey on webhook_deliveries (realm_id, id);
create index concurrently webhook_deliveries_id on webhook_deliveries (id);
create unique index concurrently email_changes_of_user on email_changes (realm_id, user_id);
create unique index concurrently email_changes_of_user_without_realm on email_changes (user_id);
create unique index concurrently alert_words_without_realm on alert_words (user_id, lower(word));
create unique index concurrently external_identities_without_realm on external_identities (user_id, issuer);
create unique index concurrently realm_alert_words_word on alert_words (realm_id, user_id, lower(word));
create unique index concurrently realm_external_identities_of_user on external_identities (realm_id, user_id, issuer);

begin;
lock table
  channel_folders, default_channel_groups, email_changes, invitations, linkifiers, playgrounds, realm_domains,
  realm_emoji, user_groups, alert_words, external_identities
  in access exclusive mode;
alter table channel_folders drop constraint channel_folders_pkey;
alter table channel_folders add constraint channel_folders_pkey primary key using index channel_folders_in_realm;
alter table default_channel_groups drop constraint default_channel_groups_pkey;
alter table default_channel_groups add constraint default_channel_groups_pkey primary key using index realm_default_channel_groups_pkey;
alter table email_changes drop constraint email_changes_pkey;
alter table email_changes add constraint email_changes_pkey primary key using index realm_email_changes_pkey;
alter table invitations drop constraint invitations_pkey;
alter table invitations add constraint invitations_pkey primary key using index invitations_in_realm;
alter table linkifiers drop constraint linkifiers_pkey;
alter table linkifiers add constraint linkifiers_pkey primary key using index realm_linkifiers_pkey;
alter table playgrounds drop constraint playgrounds_pkey;
alter table playgrounds add constraint playgrounds_pkey primary key using index realm_playgrounds_pkey;
alter table realm_domains drop constraint realm_domains_pkey;
alter table realm_domains add constraint realm_domains_pkey primary key using index realm_realm_domains_pkey;
alter table realm_emoji drop constraint realm_emoji_pkey;
alter table realm_emoji add constraint realm_emoji_pkey primary key using index realm_realm_emoji_pkey;
alter table user_groups drop constraint user_groups_pkey;
alter table user_groups add constraint user_groups_pkey primary key using index user_groups_in_realm;
alter table email_changes drop constraint email_changes_user_id_key;
drop index alert_words_word;
-- contract: nobody names it
alter index realm_alert_words_word rename to alert_words_word;
drop index external_identities_of_user;
-- contract: nobody names it
alter index realm_external_identities_of_user rename to external_identities_of_user;
commit;

begin;
lock table
  attachments, message_edits, message_moves, reactions, submessages
  in access exclusive mode;
alter table attachments drop constraint attachments_pkey;
alter table attachments add constraint attachments_pkey primary key using index attachments_in_realm;
alter table message_edits drop constraint message_edits_pkey;
alter table message_edits add constraint message_edits_pkey primary key using index realm_message_edits_pkey;
alter table message_moves drop constraint message_moves_pkey;
alter table message_moves add constraint message_moves_pkey primary key using index realm_message_moves_pkey;
alter table reactions drop constraint reactions_pkey;
alter table reactions add constraint reactions_pkey primary key using index realm_reactions_pkey;
alter table submessages drop constraint submessages_pkey;
alter table submessages add constraint submessages_pkey primary key using index realm_submessages_pkey;
commit;

begin;
lock table
  mails, pending_notifications, presences, push_tokens, webhook_deliveries
  in access exclusive mode;
alter table mails drop constraint mails_pkey;
alter table mails add constraint mails_pkey primary key using index realm_mails_pkey;
alter table pending_notifications drop constraint pending_notifications_pkey;
alter table pending_notifications add constraint pending_notifications_pkey primary key using index realm_pending_notifications_pkey;
alter table presences drop constraint presences_pkey;
alter table presences add constraint presences_pkey primary key using index realm_presences_pkey;
alter table push_tokens drop constraint push_tokens_pkey;
alter table push_tokens add constraint push_tokens_pkey primary key using index realm_push_tokens_pkey;
alter table webhook_deliveries drop constraint webhook_deliveries_pkey;
alter table webhook_deliveries add constraint webhook_deliveries_pkey primary key using index realm_webhook_deliveries_pkey;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_keys_without_realm(); end if;
end $$;
