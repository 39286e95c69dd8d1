alter table messages
  -- Since when its links wait to be looked at; null of one whose links do not.
  add column previews_due_at timestamptz;
create index messages_previews_due on messages (previews_due_at) where previews_due_at is not null;

-- What pages say of themselves, as far as the messages of a realm link to them.
create table link_previews (
  realm_id int not null references realms (id) on delete cascade,
  url text not null,
  -- Null of a page that says nothing, or could not be reached.
  facts jsonb,
  fresh_until timestamptz not null,
  primary key (realm_id, url)
);
create index link_previews_of_nothing on link_previews (fresh_until) where facts is null;
