-- Null is no quota.
alter table realms add column upload_quota_mib int;

alter table attachments
  -- When a message last stopped referring to it.
  add column released_at timestamptz;
create index attachments_age on attachments (created_at);

-- What a realm's uploads take. The row is held from before an upload's row is written or deleted to the commit, so
-- that quotas hold and the sums that clients are told are in the order of the log.
create table upload_usage (
  realm_id int primary key references realms,
  bytes bigint not null default 0
);

-- Folders of the file store that no row refers to: those being filled, until they have a row, and those that lost it.
create table loose_folders (
  folder text primary key,
  remove_after timestamptz not null
);
create index loose_folders_due on loose_folders (remove_after);
