alter table messages
  -- Since when the message waits for previews of its links; null if it waits for none.
  add column previews_due_at timestamptz;
create index messages_previews_due on messages (previews_due_at) where previews_due_at is not null;

-- Previews of the pages that messages of a realm link to.
create table link_previews (
  realm_id int not null references realms (id) on delete cascade,
  url text not null,
  -- Null if the page has no preview or could not be reached.
  facts jsonb,
  fresh_until timestamptz not null,
  primary key (realm_id, url)
);
create index link_previews_of_nothing on link_previews (fresh_until) where facts is null;
