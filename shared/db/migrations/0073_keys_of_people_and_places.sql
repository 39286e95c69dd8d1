-- online
/*
  Accounts, channels, conversations and audiences have keys that begin with the realm, once no node of the version before
  runs: these have statements that are only valid as long as the primary key is the number alone. Many statements know the
  number of an account, a channel or a conversation alone: an index finds these by it.
*/

create index concurrently users_id on users (id);
create index concurrently channels_id on channels (id);
create index concurrently conversations_id on conversations (id);
create index concurrently audiences_id on audiences (id);

-- Gives tables the keys that begin with the realm, once no node of the version before runs.
create or replace function take_primary_keys() returns void language plpgsql as $$
begin
  perform take_primary_key('topics', 'topics_in_realm');
  perform take_primary_key('users', 'users_of_realm');
  perform take_primary_key('channels', 'channels_in_realm');
  perform take_primary_key('conversations', 'conversations_in_realm');
  perform take_primary_key('audiences', 'audiences_in_realm');
end
$$;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform take_primary_keys(); end if;
end $$;
