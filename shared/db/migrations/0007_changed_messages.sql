-- Finds users who received messages of a conversation and are not subscribed to it now. They are few, and queried
-- alone.
create index conversation_members_former on conversation_members (conversation_id) where not is_subscribed;
-- Finds users who want to read for themselves that a topic was resolved.
create index users_unread_resolving on users (realm_id)
  where settings ->> 'resolved_topic_notice_auto_read_policy' = 'never';
