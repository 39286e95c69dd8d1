-- The entry of each realm's log up to which it is decided whom to notify, and the newest message up to there. A realm
-- without a row begins at the end of its log.
create table notification_cursors (
  realm_id int primary key references realms,
  seq bigint not null,
  message_id int not null
) with (fillfactor = 50);
insert into notification_cursors (realm_id, seq, message_id)
  select realm_id, seq, coalesce((select max(id) from messages), 0) from realm_heads;

-- Notifications that are to be sent. A row ends when its notification is sent, or is worth nothing any more.
create table pending_notifications (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  user_id int not null references users,
  -- It may be deleted meanwhile.
  message_id int not null,
  -- 'mail', 'push', or 'removal' of what was pushed.
  kind text not null,
  -- Where the message was sent to: what a mail tells of.
  conversation_id bigint,
  topic_id bigint,
  -- When it is to be sent next, and when it is too late for it.
  due_at timestamptz not null,
  expires_at timestamptz not null,
  -- The user was active when the message came, and is notified only after they have left it unread.
  waits_for_absence boolean not null default false,
  attempts smallint not null default 0,
  -- The rows of one mail have the same, from the first attempt to send it.
  mail_id bigint,
  -- The devices that are still to be notified; null for all.
  device_ids bigint[],
  unique (user_id, message_id, kind)
);
create index pending_notifications_due on pending_notifications (due_at);
create index pending_notifications_expired on pending_notifications (expires_at);

-- Messages that were pushed to devices of users who have not read them since, as far as is known.
create table pushed_messages (
  user_id int not null references users,
  message_id int not null,
  realm_id int not null references realms,
  pushed_at timestamptz not null,
  primary key (user_id, message_id)
);
create index pushed_messages_of_realm on pushed_messages (realm_id);
create index pushed_messages_age on pushed_messages (pushed_at);

-- Find who wants to be notified of every message of a channel.
create index conversation_members_notified on conversation_members (conversation_id)
  where push_notifications or email_notifications;
create index users_notified_of_channels on users (realm_id)
  where settings @> '{"enable_stream_push_notifications": true}'
    or settings @> '{"enable_stream_email_notifications": true}';
