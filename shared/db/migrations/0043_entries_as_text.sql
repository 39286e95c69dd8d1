-- Entries are written once and read whole: as text they are not taken apart under the lock of the log's head, nor put
-- together again for each reader. The log holds an hour, so there is little to write anew.
-- contract: what the version before reads with (#>>, ->) and writes (jsonb, by an assignment) Postgres does with json too
alter table event_log alter column entry type json;
