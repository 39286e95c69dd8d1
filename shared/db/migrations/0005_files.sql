-- Null means no quota.
alter table realms add column upload_quota_mib int;

alter table attachments
  -- The last time that a message stopped referring to the upload.
  add column released_at timestamptz;
create index attachments_age on attachments (created_at);

-- The bytes that a realm's uploads take. The row is locked from before an upload's row is written or deleted until
-- the commit, so that quotas hold and clients are told the sums in the order of the log.
create table upload_usage (
  realm_id int primary key references realms,
  bytes bigint not null default 0
);

-- Folders of the file store that no row refers to: those that are being filled, until they have a row, and those
-- whose row was deleted.
create table loose_folders (
  folder text primary key,
  remove_after timestamptz not null
);
create index loose_folders_due on loose_folders (remove_after);
