-- online
/*
  An audience may be told by another one, its base, which has its members as a whole: it has those of its base without
  departed, and joined. The version before reads members alone: so audiences are written in this form once
  message_ids is gone, as no node of it runs then.
*/
alter table audiences
  add column base_id bigint,
  add column joined int[],
  add column departed int[],
  alter column members drop not null;
create index concurrently audiences_by_base on audiences (base_id) where base_id is not null;
