-- Creates the head of a conversation with an empty audience, so that "no members" is never taken for "everyone".
create or replace function create_conversation_head(p_realm int, p_conversation bigint) returns void language plpgsql as $$
declare
  empty_audience bigint;
begin
  -- The empty portable Roaring bitmap.
  insert into audiences (realm_id, members) values (p_realm, '\x3a30000000000000') returning id into empty_audience;
  insert into conversation_heads (realm_id, conversation_id, audience_id) values (p_realm, p_conversation, empty_audience);
end
$$;
