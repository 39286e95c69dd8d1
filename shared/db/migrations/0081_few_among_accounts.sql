-- online
/*
  The bots of an organization itself and its administrators are few among its accounts. A notice of a moved topic looked
  through all accounts for its bot, and a change of a private channel for the administrators, who hear of it.

  Both indexes are partial: one of all accounts by organization and role would be taken for looking up one account, too,
  as long as Postgres has no statistics of them.
*/

create index concurrently users_system on users (realm_id) where is_system;
create index concurrently users_administrators on users (realm_id) where role <= 200;
