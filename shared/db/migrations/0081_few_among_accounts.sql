-- online
/*
  The bots of an organization itself, its administrators and its guests are few among its accounts. A notice of a moved
  topic looked through all accounts for its bot, and a change of a private channel for the administrators, who hear of it.
*/

create index concurrently users_system on users (realm_id) where is_system;
create index concurrently users_roles on users (realm_id, role);
