/*
  What the search engine outside has of each organization, where there is one: the documents of a generation in an index. It
  has what the log of an epoch says up to a position, of the messages from `filled_from` to `message_id`: what is older is filled
  in towards the oldest.
*/
create table search_engine_cursors (
  realm_id int primary key references realms,
  index_name text not null,
  generation text not null,
  epoch uuid not null,
  seq bigint not null,
  message_id bigint not null,
  filled_from bigint not null,
  attempts smallint not null default 0,
  retry_at timestamptz
) with (fillfactor = 50);
