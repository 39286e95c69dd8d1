-- online
/*
  What people keep for themselves says its realm, and its keys begin with it, so that tables can be divided by realm. Keys
  whose names end with `without_realm` are for nodes of the version before.
*/

-- Says the realm of a row that a node of the version before writes: that of the row that it belongs to. The trigger names
-- the table of that row, and the column that has its id.
create function name_realm() returns trigger language plpgsql as $$
begin
  execute format('select realm_id from %I where id = ($1).%I', tg_argv[0], tg_argv[1]) into new.realm_id using new;
  return new;
end
$$;

-- Removes what only nodes of the version before need: triggers that say the realm, and keys that do not begin with it.
create function drop_keys_without_realm() returns void language plpgsql as $$
declare
  old regclass;
begin
  for old in select tgrelid from pg_trigger where tgname = 'name_realm' loop
    execute format('drop trigger name_realm on %s', old);
  end loop;
  for old in select oid from pg_class where relkind = 'i' and relname like '%\_without\_realm' loop
    execute format('drop index %s', old);
  end loop;
end
$$;

alter table muted_users add column realm_id int;
alter table user_statuses add column realm_id int;
alter table bot_services add column realm_id int;
alter table bot_storage add column realm_id int;
alter table custom_profile_values add column realm_id int;
alter table drafts add column realm_id int;
alter table saved_snippets add column realm_id int;
alter table navigation_views add column realm_id int;
alter table onboarding_steps_seen add column realm_id int;
alter table digests add column realm_id int;
alter table sessions add column realm_id int;
create trigger name_realm before insert on muted_users
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on user_statuses
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on bot_services
  for each row when (new.realm_id is null) execute function name_realm('users', 'bot_id');
create trigger name_realm before insert on bot_storage
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on custom_profile_values
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on drafts
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on saved_snippets
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on navigation_views
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on onboarding_steps_seen
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on digests
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');
create trigger name_realm before insert on sessions
  for each row when (new.realm_id is null) execute function name_realm('users', 'user_id');

-- backfill muted_users t
update muted_users t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill user_statuses t
update user_statuses t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill bot_services t
update bot_services t set realm_id = (select p.realm_id from users p where p.id = t.bot_id)
where portion and t.realm_id is null;
-- backfill bot_storage t
update bot_storage t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill custom_profile_values t
update custom_profile_values t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill drafts t
update drafts t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill saved_snippets t
update saved_snippets t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill navigation_views t
update navigation_views t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill onboarding_steps_seen t
update onboarding_steps_seen t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill digests t
update digests t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;
-- backfill sessions t
update sessions t set realm_id = (select p.realm_id from users p where p.id = t.user_id)
where portion and t.realm_id is null;

create unique index concurrently users_of_realm on users (realm_id, id);
create unique index concurrently realm_muted_users_pkey on muted_users (realm_id, user_id, muted_user_id);
create unique index concurrently muted_users_without_realm on muted_users (user_id, muted_user_id);
create unique index concurrently realm_user_statuses_pkey on user_statuses (realm_id, user_id);
create unique index concurrently user_statuses_without_realm on user_statuses (user_id);
create unique index concurrently realm_bot_services_pkey on bot_services (realm_id, bot_id);
create unique index concurrently bot_services_without_realm on bot_services (bot_id);
create unique index concurrently realm_bot_storage_pkey on bot_storage (realm_id, user_id, key);
create unique index concurrently bot_storage_without_realm on bot_storage (user_id, key);
create unique index concurrently realm_custom_profile_fields_pkey on custom_profile_fields (realm_id, id);
create unique index concurrently custom_profile_fields_without_realm on custom_profile_fields (id);
create unique index concurrently realm_custom_profile_values_pkey on custom_profile_values (realm_id, user_id, field_id);
create unique index concurrently custom_profile_values_without_realm on custom_profile_values (user_id, field_id);
create unique index concurrently realm_drafts_pkey on drafts (realm_id, id);
create unique index concurrently drafts_without_realm on drafts (id);
create unique index concurrently realm_saved_snippets_pkey on saved_snippets (realm_id, id);
create unique index concurrently saved_snippets_without_realm on saved_snippets (id);
create unique index concurrently realm_navigation_views_pkey on navigation_views (realm_id, id);
create unique index concurrently navigation_views_without_realm on navigation_views (id);
create unique index concurrently navigation_views_fragment_without_realm on navigation_views (user_id, fragment);
create unique index concurrently navigation_views_fragment on navigation_views (realm_id, user_id, fragment);
create unique index concurrently realm_onboarding_steps_seen_pkey on onboarding_steps_seen (realm_id, user_id, name);
create unique index concurrently onboarding_steps_seen_without_realm on onboarding_steps_seen (user_id, name);
create unique index concurrently realm_digests_pkey on digests (realm_id, user_id);
create unique index concurrently digests_without_realm on digests (user_id);
create unique index concurrently realm_sessions_pkey on sessions (realm_id, token_hash);
create unique index concurrently sessions_without_realm on sessions (token_hash);

alter table muted_users add constraint has_realm check (realm_id is not null) not valid;
alter table muted_users validate constraint has_realm;
alter table user_statuses add constraint has_realm check (realm_id is not null) not valid;
alter table user_statuses validate constraint has_realm;
alter table bot_services add constraint has_realm check (realm_id is not null) not valid;
alter table bot_services validate constraint has_realm;
alter table bot_storage add constraint has_realm check (realm_id is not null) not valid;
alter table bot_storage validate constraint has_realm;
alter table custom_profile_values add constraint has_realm check (realm_id is not null) not valid;
alter table custom_profile_values validate constraint has_realm;
alter table drafts add constraint has_realm check (realm_id is not null) not valid;
alter table drafts validate constraint has_realm;
alter table saved_snippets add constraint has_realm check (realm_id is not null) not valid;
alter table saved_snippets validate constraint has_realm;
alter table navigation_views add constraint has_realm check (realm_id is not null) not valid;
alter table navigation_views validate constraint has_realm;
alter table onboarding_steps_seen add constraint has_realm check (realm_id is not null) not valid;
alter table onboarding_steps_seen validate constraint has_realm;
alter table digests add constraint has_realm check (realm_id is not null) not valid;
alter table digests validate constraint has_realm;
alter table sessions add constraint has_realm check (realm_id is not null) not valid;
alter table sessions validate constraint has_realm;
alter table muted_users add constraint realm_muted_users_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table muted_users validate constraint realm_muted_users_user_id_fkey;
alter table muted_users add constraint realm_muted_users_muted_user_id_fkey
  foreign key (realm_id, muted_user_id) references users (realm_id, id) not valid;
alter table muted_users validate constraint realm_muted_users_muted_user_id_fkey;
alter table user_statuses add constraint realm_user_statuses_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table user_statuses validate constraint realm_user_statuses_user_id_fkey;
alter table bot_services add constraint realm_bot_services_bot_id_fkey
  foreign key (realm_id, bot_id) references users (realm_id, id) not valid;
alter table bot_services validate constraint realm_bot_services_bot_id_fkey;
alter table bot_storage add constraint realm_bot_storage_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table bot_storage validate constraint realm_bot_storage_user_id_fkey;
alter table custom_profile_values add constraint realm_custom_profile_values_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table custom_profile_values validate constraint realm_custom_profile_values_user_id_fkey;
alter table custom_profile_values add constraint realm_custom_profile_values_field_id_fkey
  foreign key (realm_id, field_id) references custom_profile_fields (realm_id, id) on delete cascade not valid;
alter table custom_profile_values validate constraint realm_custom_profile_values_field_id_fkey;
alter table drafts add constraint realm_drafts_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table drafts validate constraint realm_drafts_user_id_fkey;
alter table saved_snippets add constraint realm_saved_snippets_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table saved_snippets validate constraint realm_saved_snippets_user_id_fkey;
alter table navigation_views add constraint realm_navigation_views_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table navigation_views validate constraint realm_navigation_views_user_id_fkey;
alter table onboarding_steps_seen add constraint realm_onboarding_steps_seen_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table onboarding_steps_seen validate constraint realm_onboarding_steps_seen_user_id_fkey;
alter table digests add constraint realm_digests_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table digests validate constraint realm_digests_user_id_fkey;
alter table sessions add constraint realm_sessions_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table sessions validate constraint realm_sessions_user_id_fkey;
alter table push_tokens add constraint realm_push_tokens_session_hash_fkey
  foreign key (realm_id, session_hash) references sessions (realm_id, token_hash) on delete cascade not valid;
alter table push_tokens validate constraint realm_push_tokens_session_hash_fkey;

begin;
lock table
  users, muted_users, user_statuses, bot_services, bot_storage, custom_profile_fields, custom_profile_values,
  drafts, saved_snippets, navigation_views, onboarding_steps_seen, digests, sessions, push_tokens
  in access exclusive mode;
alter table muted_users drop constraint muted_users_user_id_fkey;
-- contract: nobody names it
alter table muted_users rename constraint realm_muted_users_user_id_fkey to muted_users_user_id_fkey;
alter table muted_users drop constraint muted_users_muted_user_id_fkey;
-- contract: nobody names it
alter table muted_users rename constraint realm_muted_users_muted_user_id_fkey to muted_users_muted_user_id_fkey;
alter table user_statuses drop constraint user_statuses_user_id_fkey;
-- contract: nobody names it
alter table user_statuses rename constraint realm_user_statuses_user_id_fkey to user_statuses_user_id_fkey;
alter table bot_services drop constraint bot_services_bot_id_fkey;
-- contract: nobody names it
alter table bot_services rename constraint realm_bot_services_bot_id_fkey to bot_services_bot_id_fkey;
alter table bot_storage drop constraint bot_storage_user_id_fkey;
-- contract: nobody names it
alter table bot_storage rename constraint realm_bot_storage_user_id_fkey to bot_storage_user_id_fkey;
alter table custom_profile_values drop constraint custom_profile_values_user_id_fkey;
-- contract: nobody names it
alter table custom_profile_values rename constraint realm_custom_profile_values_user_id_fkey to custom_profile_values_user_id_fkey;
alter table custom_profile_values drop constraint custom_profile_values_field_id_fkey;
-- contract: nobody names it
alter table custom_profile_values rename constraint realm_custom_profile_values_field_id_fkey to custom_profile_values_field_id_fkey;
alter table drafts drop constraint drafts_user_id_fkey;
-- contract: nobody names it
alter table drafts rename constraint realm_drafts_user_id_fkey to drafts_user_id_fkey;
alter table saved_snippets drop constraint saved_snippets_user_id_fkey;
-- contract: nobody names it
alter table saved_snippets rename constraint realm_saved_snippets_user_id_fkey to saved_snippets_user_id_fkey;
alter table navigation_views drop constraint navigation_views_user_id_fkey;
-- contract: nobody names it
alter table navigation_views rename constraint realm_navigation_views_user_id_fkey to navigation_views_user_id_fkey;
alter table onboarding_steps_seen drop constraint onboarding_steps_seen_user_id_fkey;
-- contract: nobody names it
alter table onboarding_steps_seen rename constraint realm_onboarding_steps_seen_user_id_fkey to onboarding_steps_seen_user_id_fkey;
alter table digests drop constraint digests_user_id_fkey;
-- contract: nobody names it
alter table digests rename constraint realm_digests_user_id_fkey to digests_user_id_fkey;
alter table sessions drop constraint sessions_user_id_fkey;
-- contract: nobody names it
alter table sessions rename constraint realm_sessions_user_id_fkey to sessions_user_id_fkey;
alter table push_tokens drop constraint push_tokens_session_hash_fkey;
-- contract: nobody names it
alter table push_tokens rename constraint realm_push_tokens_session_hash_fkey to push_tokens_session_hash_fkey;
-- contract: a trigger fills what the version before does not write
alter table muted_users alter column realm_id set not null;
alter table muted_users drop constraint has_realm;
alter table muted_users drop constraint muted_users_pkey;
alter table muted_users add constraint muted_users_pkey primary key using index realm_muted_users_pkey;
-- contract: a trigger fills what the version before does not write
alter table user_statuses alter column realm_id set not null;
alter table user_statuses drop constraint has_realm;
alter table user_statuses drop constraint user_statuses_pkey;
alter table user_statuses add constraint user_statuses_pkey primary key using index realm_user_statuses_pkey;
-- contract: a trigger fills what the version before does not write
alter table bot_services alter column realm_id set not null;
alter table bot_services drop constraint has_realm;
alter table bot_services drop constraint bot_services_pkey;
alter table bot_services add constraint bot_services_pkey primary key using index realm_bot_services_pkey;
-- contract: a trigger fills what the version before does not write
alter table bot_storage alter column realm_id set not null;
alter table bot_storage drop constraint has_realm;
alter table bot_storage drop constraint bot_storage_pkey;
alter table bot_storage add constraint bot_storage_pkey primary key using index realm_bot_storage_pkey;
alter table custom_profile_fields drop constraint custom_profile_fields_pkey;
alter table custom_profile_fields add constraint custom_profile_fields_pkey primary key using index realm_custom_profile_fields_pkey;
-- contract: a trigger fills what the version before does not write
alter table custom_profile_values alter column realm_id set not null;
alter table custom_profile_values drop constraint has_realm;
alter table custom_profile_values drop constraint custom_profile_values_pkey;
alter table custom_profile_values add constraint custom_profile_values_pkey primary key using index realm_custom_profile_values_pkey;
-- contract: a trigger fills what the version before does not write
alter table drafts alter column realm_id set not null;
alter table drafts drop constraint has_realm;
alter table drafts drop constraint drafts_pkey;
alter table drafts add constraint drafts_pkey primary key using index realm_drafts_pkey;
-- contract: a trigger fills what the version before does not write
alter table saved_snippets alter column realm_id set not null;
alter table saved_snippets drop constraint has_realm;
alter table saved_snippets drop constraint saved_snippets_pkey;
alter table saved_snippets add constraint saved_snippets_pkey primary key using index realm_saved_snippets_pkey;
-- contract: a trigger fills what the version before does not write
alter table navigation_views alter column realm_id set not null;
alter table navigation_views drop constraint has_realm;
alter table navigation_views drop constraint navigation_views_pkey;
alter table navigation_views add constraint navigation_views_pkey primary key using index realm_navigation_views_pkey;
alter table navigation_views drop constraint navigation_views_user_id_fragment_key;
-- contract: a trigger fills what the version before does not write
alter table onboarding_steps_seen alter column realm_id set not null;
alter table onboarding_steps_seen drop constraint has_realm;
alter table onboarding_steps_seen drop constraint onboarding_steps_seen_pkey;
alter table onboarding_steps_seen add constraint onboarding_steps_seen_pkey primary key using index realm_onboarding_steps_seen_pkey;
-- contract: a trigger fills what the version before does not write
alter table digests alter column realm_id set not null;
alter table digests drop constraint has_realm;
alter table digests drop constraint digests_pkey;
alter table digests add constraint digests_pkey primary key using index realm_digests_pkey;
-- contract: a trigger fills what the version before does not write
alter table sessions alter column realm_id set not null;
alter table sessions drop constraint has_realm;
alter table sessions drop constraint sessions_pkey;
alter table sessions add constraint sessions_pkey primary key using index realm_sessions_pkey;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_keys_without_realm(); end if;
end $$;
