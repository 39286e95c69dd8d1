/*
  What an archive says of the reactions to a message, in one number: it tells what has changed since at the message's source, and
  what here. Null where the archive was read before this was recorded.
*/
alter table imported_messages add column reactions_hash bigint;
