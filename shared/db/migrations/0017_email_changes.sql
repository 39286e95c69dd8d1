-- New email addresses that wait for their confirmation. A row ends when it is confirmed, replaced or too old.
create table email_changes (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  user_id int not null unique references users,
  -- The address at the time of the request. If it is another by then, the confirmation is void.
  old_email text not null,
  new_email text not null,
  expires_at timestamptz not null,
  -- When the mail is to be sent next; null once it is sent.
  mail_due_at timestamptz,
  mail_attempts smallint not null default 0
);
create index email_changes_due on email_changes (mail_due_at) where mail_due_at is not null;
create index email_changes_expired on email_changes (expires_at);
