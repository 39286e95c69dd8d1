-- Those who received something of a conversation without being subscribed to it now: few, and asked for on their own.
create index conversation_members_former on conversation_members (conversation_id) where not is_subscribed;
-- Whoever wants to read for themselves that a topic was resolved.
create index users_unread_resolving on users (realm_id)
  where settings ->> 'resolved_topic_notice_auto_read_policy' = 'never';
