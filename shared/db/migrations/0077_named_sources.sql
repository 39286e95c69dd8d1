-- The product that an owner says an archive comes from; null where that is told from its content.
alter table archive_imports add column source text;
