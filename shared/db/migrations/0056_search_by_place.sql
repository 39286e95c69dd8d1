-- online
/*
  The words of a text and, as one more, the organization that it is in. Whoever looks for a word in an organization reads
  the rows of no other, however many have the word there. No word of a text begins with "~".
*/
create function words_in_realm(p_realm int, p_words tsvector) returns tsvector language sql immutable parallel safe as $$
  select p_words || array_to_tsvector(array['~' || p_realm::text])
$$;
create index concurrently messages_search_in_realm on messages using gin (words_in_realm(realm_id, search));

-- Each word behind the channel that it is in: topics name no organization.
create function words_in_channel(p_channel int, p_words tsvector) returns text[]
  language plpgsql immutable strict parallel safe as $$
begin
  if p_words = '' then return '{}'; end if;
  return string_to_array(
    p_channel || ' ' || array_to_string(tsvector_to_array(p_words), e'\x01' || p_channel || ' '), e'\x01'
  );
end
$$;
create index concurrently topics_search_in_channel
  on topics using gin (words_in_channel(channel_id, to_tsvector('english', name)));

-- Drops what only nodes of the version before search with, once none of them runs.
create function drop_shared_searches() returns void language sql as $$
  drop index if exists messages_search, topics_search;
$$;
-- A new deployment has no such nodes.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_shared_searches(); end if;
end $$;
