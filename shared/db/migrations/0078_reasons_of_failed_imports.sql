-- Why an import failed, as a code with its values: the sentence beside it is in English.
alter table archive_imports add column failure_reason jsonb;
