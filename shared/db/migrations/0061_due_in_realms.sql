-- online
-- What is due in one organization, the longest waiting first: nobody's mail waits for all mails of another organization.
create index concurrently pending_notifications_due_in_realm on pending_notifications (realm_id, due_at);
create index concurrently mails_due_in_realm on mails (realm_id, due_at);
create index concurrently messages_previews_due_in_realm on messages (realm_id, previews_due_at)
  where previews_due_at is not null;
