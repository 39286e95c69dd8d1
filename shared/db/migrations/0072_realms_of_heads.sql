-- online
/*
  Heads of conversations say their realm, and their key begins with it. The key whose name ends with `without_realm` is for
  nodes of the version before.
*/

alter table conversation_heads add column realm_id int;
create trigger name_realm before insert on conversation_heads
  for each row when (new.realm_id is null) execute function name_realm('conversations', 'conversation_id');

-- backfill conversation_heads t
update conversation_heads t set realm_id = (select p.realm_id from conversations p where p.id = t.conversation_id)
where portion and t.realm_id is null;

create unique index concurrently audiences_in_realm on audiences (realm_id, id);
create unique index concurrently realm_conversation_heads_pkey on conversation_heads (realm_id, conversation_id);
create unique index concurrently conversation_heads_without_realm on conversation_heads (conversation_id);

alter table conversation_heads add constraint has_realm check (realm_id is not null) not valid;
alter table conversation_heads validate constraint has_realm;
alter table conversation_heads add constraint realm_conversation_heads_conversation_id_fkey
  foreign key (realm_id, conversation_id) references conversations (realm_id, id) not valid;
alter table conversation_heads validate constraint realm_conversation_heads_conversation_id_fkey;
alter table conversation_heads add constraint realm_conversation_heads_audience_id_fkey
  foreign key (realm_id, audience_id) references audiences (realm_id, id) not valid;
alter table conversation_heads validate constraint realm_conversation_heads_audience_id_fkey;

begin;
lock table audiences, conversations, conversation_heads in access exclusive mode;
alter table conversation_heads drop constraint conversation_heads_conversation_id_fkey;
-- contract: nobody names it
alter table conversation_heads rename constraint realm_conversation_heads_conversation_id_fkey to conversation_heads_conversation_id_fkey;
alter table conversation_heads drop constraint conversation_heads_audience_id_fkey;
-- contract: nobody names it
alter table conversation_heads rename constraint realm_conversation_heads_audience_id_fkey to conversation_heads_audience_id_fkey;
-- contract: a trigger fills what the version before does not write
alter table conversation_heads alter column realm_id set not null;
alter table conversation_heads drop constraint has_realm;
alter table conversation_heads drop constraint conversation_heads_pkey;
alter table conversation_heads add constraint conversation_heads_pkey primary key using index realm_conversation_heads_pkey;
commit;

-- A new deployment has no nodes of the version before.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_keys_without_realm(); end if;
end $$;
