/*
  Returns what stands for an imported message: its sender's address in the archive, when it was sent, in microseconds since
  1970, and which one it is of those that this sender sent in the same microsecond, from 1. The casts let Postgres put the
  expression in the place of a call.
*/
create or replace function imported_message_key(p_email text, p_sent_us bigint, p_number int) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(lower(p_email) || ' ' || p_sent_us::text || ' ' || p_number::text, 0)
$$;
