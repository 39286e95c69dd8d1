-- online
/*
  Topics, and what people have set for them, say their realm, and their keys begin with it. Keys whose names end with
  `without_realm` are for nodes of the version before. These have statements that are only valid as long as the primary key
  of topics is their number, so that it is another one once none of them runs.
*/

-- Makes a unique index the primary key of a table, once.
create function take_primary_key(p_table text, p_index text) returns void language plpgsql as $$
begin
  if to_regclass(p_index) is null then return; end if;
  execute format('alter table %I drop constraint %I', p_table, p_table || '_pkey');
  execute format('alter table %I add constraint %I primary key using index %I', p_table, p_table || '_pkey', p_index);
end
$$;

-- Gives tables the keys that begin with the realm, once no node of the version before runs.
create function take_primary_keys() returns void language plpgsql as $$
begin
  perform take_primary_key('topics', 'topics_in_realm');
end
$$;

alter table topics add column realm_id int;
alter table user_topics add column realm_id int;
create trigger name_realm before insert on topics
  for each row when (new.realm_id is null) execute function name_realm('channels', 'channel_id');
create trigger name_realm before insert on user_topics
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');

-- backfill topics t
update topics t set realm_id = (select p.realm_id from channels p where p.id = t.channel_id)
where portion and t.realm_id is null;
-- backfill user_topics t
update user_topics t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;

create unique index concurrently channels_in_realm on channels (realm_id, id);
create unique index concurrently topics_in_realm on topics (realm_id, id);
create unique index concurrently realm_topics_name on topics (realm_id, channel_id, lower(name));
create unique index concurrently realm_user_topics_pkey on user_topics (realm_id, user_id, topic_id);
create unique index concurrently user_topics_without_realm on user_topics (user_id, topic_id);

alter table topics add constraint has_realm check (realm_id is not null) not valid;
alter table topics validate constraint has_realm;
alter table user_topics add constraint has_realm check (realm_id is not null) not valid;
alter table user_topics validate constraint has_realm;
alter table topics add constraint realm_topics_channel_id_fkey
  foreign key (realm_id, channel_id) references channels (realm_id, id) not valid;
alter table topics validate constraint realm_topics_channel_id_fkey;
alter table user_topics add constraint realm_user_topics_topic_id_fkey
  foreign key (realm_id, topic_id) references topics (realm_id, id) not valid;
alter table user_topics validate constraint realm_user_topics_topic_id_fkey;
alter table user_topics add constraint realm_user_topics_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table user_topics validate constraint realm_user_topics_user_id_fkey;

begin;
lock table users, channels, topics, user_topics in access exclusive mode;
alter table topics drop constraint topics_channel_id_fkey;
-- contract: nobody names it
alter table topics rename constraint realm_topics_channel_id_fkey to topics_channel_id_fkey;
alter table user_topics drop constraint user_topics_topic_id_fkey;
-- contract: nobody names it
alter table user_topics rename constraint realm_user_topics_topic_id_fkey to user_topics_topic_id_fkey;
alter table user_topics drop constraint user_topics_user_id_fkey;
-- contract: nobody names it
alter table user_topics rename constraint realm_user_topics_user_id_fkey to user_topics_user_id_fkey;
-- contract: a trigger fills what the version before does not write
alter table topics alter column realm_id set not null;
alter table topics drop constraint has_realm;
-- contract: nobody names it
alter index topics_name rename to topics_name_without_realm;
-- contract: nobody names it
alter index realm_topics_name rename to topics_name;
-- contract: a trigger fills what the version before does not write
alter table user_topics alter column realm_id set not null;
alter table user_topics drop constraint has_realm;
alter table user_topics drop constraint user_topics_pkey;
alter table user_topics add constraint user_topics_pkey primary key using index realm_user_topics_pkey;
create or replace function note_changed_terms() returns trigger language plpgsql as $$
begin
  perform note_search_terms(new.realm_id, tsvector_to_array(words_of_text(new.content) || coalesce(
    words_of_text((select name from topics where realm_id = new.realm_id and id = new.topic_id)), ''
  )));
  return null;
end
$$;
create or replace function note_renamed_topic() returns trigger language plpgsql as $$
begin
  perform note_search_terms(new.realm_id, tsvector_to_array(words_of_text(new.name)));
  return null;
end
$$;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then
    perform drop_keys_without_realm();
    perform take_primary_keys();
  end if;
end $$;
