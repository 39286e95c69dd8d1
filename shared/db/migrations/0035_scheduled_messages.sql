-- Messages that their authors have sent later.
create table scheduled_messages (
  id int primary key generated always as identity,
  user_id int not null references users,
  -- 'stream' or 'private'.
  type text not null,
  -- The channel's id, or the ids of the other users.
  recipients int[] not null,
  topic text not null,
  content text not null,
  rendered_content text not null,
  -- The program that scheduled it.
  client text not null,
  read_by_sender boolean not null,
  due_at timestamptz not null,
  -- Why it could not be sent; null while that was not tried.
  failure_message text,
  -- Sent ones are remembered for a while, so that whoever edits one is told.
  sent_at timestamptz
);
create index scheduled_messages_of_user on scheduled_messages (user_id, due_at, id) where sent_at is null;
create index scheduled_messages_due on scheduled_messages (due_at) where sent_at is null and failure_message is null;
create index scheduled_messages_sent on scheduled_messages (sent_at) where sent_at is not null;

-- Uploads stay while a message that links to them is yet to be sent.
create table scheduled_message_attachments (
  scheduled_message_id int not null references scheduled_messages on delete cascade,
  attachment_id int not null references attachments on delete cascade,
  primary key (scheduled_message_id, attachment_id)
);
create index scheduled_messages_of_attachment on scheduled_message_attachments (attachment_id);

-- Messages that users want to be reminded of. The message may be gone by then.
create table reminders (
  id int primary key generated always as identity,
  user_id int not null references users,
  message_id int not null,
  note text not null,
  content text not null,
  rendered_content text not null,
  due_at timestamptz not null
);
create index reminders_of_user on reminders (user_id, due_at, id);
create index reminders_due on reminders (due_at);
