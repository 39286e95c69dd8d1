-- online
/*
  Members of conversations say their realm, and their key begins with it. The key whose name ends with `without_realm` is
  for nodes of the version before.
*/

alter table conversation_members add column realm_id int;
create trigger name_realm before insert on conversation_members
  for each row when (new.realm_id is null) execute function name_realm('conversations', 'conversation_id');

-- backfill conversation_members t
update conversation_members t set realm_id = (select p.realm_id from conversations p where p.id = t.conversation_id)
where portion and t.realm_id is null;

create unique index concurrently realm_conversation_members_pkey
  on conversation_members (realm_id, conversation_id, user_id);
create unique index concurrently conversation_members_without_realm on conversation_members (conversation_id, user_id);

alter table conversation_members add constraint has_realm check (realm_id is not null) not valid;
alter table conversation_members validate constraint has_realm;
alter table conversation_members add constraint realm_conversation_members_conversation_id_fkey
  foreign key (realm_id, conversation_id) references conversations (realm_id, id) not valid;
alter table conversation_members validate constraint realm_conversation_members_conversation_id_fkey;
alter table conversation_members add constraint realm_conversation_members_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table conversation_members validate constraint realm_conversation_members_user_id_fkey;

begin;
lock table users, conversations, conversation_members in access exclusive mode;
alter table conversation_members drop constraint conversation_members_conversation_id_fkey;
-- contract: nobody names it
alter table conversation_members rename constraint realm_conversation_members_conversation_id_fkey to conversation_members_conversation_id_fkey;
alter table conversation_members drop constraint conversation_members_user_id_fkey;
-- contract: nobody names it
alter table conversation_members rename constraint realm_conversation_members_user_id_fkey to conversation_members_user_id_fkey;
-- contract: a trigger fills what the version before does not write
alter table conversation_members alter column realm_id set not null;
alter table conversation_members drop constraint has_realm;
alter table conversation_members drop constraint conversation_members_pkey;
alter table conversation_members add constraint conversation_members_pkey primary key using index realm_conversation_members_pkey;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_keys_without_realm(); end if;
end $$;
