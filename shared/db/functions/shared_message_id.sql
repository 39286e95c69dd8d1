/*
  Draws an id from the sequence that realms had in common before each counted its own messages: while nodes of the version
  before may run, which do not say the realm of a message, no two realms have the same id. Null once there is no sequence.
*/
create or replace function shared_message_id() returns bigint language sql volatile as $$
  select nextval(to_regclass('message_ids'))
$$;
