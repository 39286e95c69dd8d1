-- Mails that are to be sent. A row ends when its mail is sent, or cannot be any more.
create table mails (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  recipient text not null,
  content jsonb not null,
  -- When it is to be sent next, and when it is too late for it.
  due_at timestamptz not null,
  expires_at timestamptz not null,
  attempts smallint not null default 0
);
create index mails_due on mails (due_at);
create index mails_expired on mails (expires_at);
