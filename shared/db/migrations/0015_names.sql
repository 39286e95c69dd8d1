-- The functions that every migration run creates have other names, or other names of parameters. Postgres cannot
-- rename a parameter of a function in place.
drop function if exists append_to_log(int, jsonb, jsonb, boolean);
drop function if exists log_event(int, bigint, timestamptz, jsonb, jsonb);
drop function if exists marks_of(int);
drop function if exists found_log(int);
drop function if exists found_conversation(int, bigint);

update link_previews set facts = jsonb_set(facts, '{kind}', '"video"') where facts ->> 'kind' = 'film';
