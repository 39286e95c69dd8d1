-- A conversation starts with the audience of nobody, so that "no members" never reads as "everyone".
create or replace function found_conversation(p_realm int, p_conversation bigint) returns void language sql as $$
  with nobody as (
    -- The empty portable Roaring bitmap.
    insert into audiences (realm_id, members) values (p_realm, '\x3a30000000000000') returning id
  )
  insert into conversation_heads (conversation_id, audience_id) select p_conversation, id from nobody
$$;
