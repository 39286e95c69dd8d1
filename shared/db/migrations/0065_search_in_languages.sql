-- online
/*
  A text as searches compare it: width and ligatures (NFKC), accents of Latin and Greek letters, and vowel signs of Arabic make
  no difference. `foldText` of the model does the same.
*/
create function fold_text(p_text text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(p_text) = length(p_text) then return p_text; end if;
  return translate(
    replace(replace(replace(replace(replace(normalize(regexp_replace(
      normalize(p_text, NFKD), '([A-Za-z\u0370-\u03ff])[\u0300-\u036f]+|[\u0640\u064b-\u0655]+', '\1', 'g'
    ), NFKC), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'Æ', 'AE'), 'Œ', 'OE'),
    'øØłŁđĐıёЁىةς', 'oOlLdDiеЕيهσ'
  );
end
$$;

/*
  The words of a text, in lower case. Identifiers are found whole and by their parts: `fooBar` is also "foo" and "bar". Chinese,
  Japanese and Korean are written without spaces or with particles: of each run, every character and every two neighbours
  are a word.
*/
create function words_of_text(p_text text) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  v_text text := public.fold_text(p_text);
  v_runs text;
begin
  if v_text ~ '[a-z0-9][A-Z]' then
    v_text := v_text || ' ' || regexp_replace(v_text, '([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])', '\1\3 \2\4', 'g');
  end if;
  if octet_length(v_text) <> length(v_text) then
    if v_text ~ '[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]' then
      -- Characters are unpacked once: to look each up by its place would take the square of the length.
      select string_agg(pair.one || ' ' || pair.one || pair.next, ' ') into v_runs
        from regexp_matches(v_text, '[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+', 'g') run
        cross join lateral (
          select c.one, coalesce(lead(c.one) over (order by c.place), '') as next
          from unnest(string_to_array(run[1], null)) with ordinality c (one, place)
        ) pair;
      v_text := regexp_replace(v_text, '[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+', ' ', 'g') || ' ' || v_runs;
    end if;
    v_text := regexp_replace(v_text, '[\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2010-\u206f\u20a0-\u2bff\u3000-\u3020]+', ' ', 'g');
  end if;
  -- Most texts are words with a sign behind some: these need not be taken out.
  if v_text ~ '[^A-Za-z0-9 ,.!?\n]|[,.!?][A-Za-z0-9]' then
    v_text := regexp_replace(v_text, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g');
  end if;
  return strip(to_tsvector('pg_catalog.simple', v_text));
end
$$;

/*
  What a message is searched by: its words, the languages that its most frequent words tell, and where it is. A block is 1024,
  65 536 or 4 194 304 ids of an organization that follow each other ("~a", "~b", "~e"): so a search reads as much of the
  history as it needs, and nothing of another organization. No word begins with "~".
*/
create function search_keys(p_realm int, p_id bigint, p_channel int, p_topic bigint, p_sender int, p_content text)
  returns tsvector language plpgsql immutable parallel safe cost 5000 as $$
declare
  v_words tsvector := public.words_of_text(p_content);
  v_keys text[] := array[
    '~a' || p_realm || '.' || (p_id >> 10), '~b' || p_realm || '.' || (p_id >> 16), '~e' || p_realm || '.' || (p_id >> 22),
    '~s' || p_sender, '~d'
  ];
  v_languages text[] := '{}';
begin
  if p_channel is not null then v_keys := v_keys[1:4] || array['~c' || p_channel, '~t' || coalesce(p_topic, 0)]; end if;
  if v_words @@ 'und|nicht|der|das|ist|ein|eine|mit|auf|wir|ich|sich|auch|oder|wenn|noch|nach|bei|zum|zur|fur|uber|wird|sind|haben|kann'::tsquery
    then v_languages := v_languages || '~de'::text; end if;
  if v_words @@ 'les|des|est|une|pas|pour|dans|qui|avec|sur|nous|vous|cette|mais|ont|aux|je|il'::tsquery
    then v_languages := v_languages || '~fr'::text; end if;
  if v_words @@ 'los|las|una|para|por|con|pero|esta|este|como|mas|muy|hay|tiene|del|el|que|se|es'::tsquery
    then v_languages := v_languages || '~es'::text; end if;
  if v_words @@ 'il|lo|gli|una|per|con|che|non|sono|della|nella|questo|anche|come|piu|abbiamo|nel|di'::tsquery
    then v_languages := v_languages || '~it'::text; end if;
  if v_words @@ 'os|as|uma|para|por|com|nao|mas|esta|este|como|mais|muito|tem|dos|das|que|em|do|da|um'::tsquery
    then v_languages := v_languages || '~pt'::text; end if;
  if v_words @@ 'het|een|niet|van|voor|met|zijn|wij|ook|maar|naar|bij|dat|deze|hebben|heeft|wordt|worden'::tsquery
    then v_languages := v_languages || '~nl'::text; end if;
  if v_words @@ 'the|and|of|to|is|for|that|this|with|you|are|it|on|be|have|we|not|from'::tsquery
    then v_languages := v_languages || '~en'::text; end if;
  if v_languages = '{}' then v_languages := array['~0']; end if;
  return v_words || array_to_tsvector(v_keys || v_languages);
end
$$;
-- What is sent waits in the index's list until a worker merges it, so that no send does. Searches look through the list: it
-- ends at 8 MiB, where no worker runs.
create index concurrently messages_search_keys on messages
  using gin (search_keys(realm_id, id, channel_id, topic_id, sender_id, content))
  with (fastupdate = on, gin_pending_list_limit = 8192);

-- The words of names of topics, each behind the channel of the topic: topics name no organization.
create index concurrently topics_search_words
  on topics using gin (words_in_channel(channel_id, words_of_text(name)))
  with (fastupdate = on, gin_pending_list_limit = 8192);
create function merge_search_indexes() returns void
  language sql security definer set search_path = public, pg_temp as $$
  select gin_clean_pending_list('messages_search_keys'), gin_clean_pending_list('topics_search_words')
$$;
revoke execute on function merge_search_indexes() from public;

/*
  The stems of a word, and the languages in which each is one: 1 English, 2 German, 4 French, 8 Spanish, 16 Italian,
  32 Portuguese, 64 Dutch, 128 Russian, 256 Arabic. A word with digits has itself, in no language. Stemmers
  know endings by marks that the word has lost ("ção", "ة"): these are given back.
*/
create function stems_of_word(p_word text) returns table (stem text, languages int)
  language sql immutable strict parallel safe as $$
  select s.stem, bit_or(s.language) from (
    select d.language, (ts_lexize(d.dictionary, case d.language
      when 32 then regexp_replace(regexp_replace(p_word, '[ao]es$', 'ao'), 'cao$', 'ção')
      when 256 then regexp_replace(p_word, 'ه$', 'ة')
      else p_word end))[1] as stem from (values
      (1, 'pg_catalog.english_stem'::regdictionary), (2, 'pg_catalog.german_stem'), (4, 'pg_catalog.french_stem'),
      (8, 'pg_catalog.spanish_stem'), (16, 'pg_catalog.italian_stem'), (32, 'pg_catalog.portuguese_stem'),
      (64, 'pg_catalog.dutch_stem'), (128, 'pg_catalog.russian_stem'), (256, 'pg_catalog.arabic_stem')
    ) d (language, dictionary)
    where p_word !~ '[0-9]' and case
      when p_word ~ '[\u0400-\u04ff]' then d.language = 128
      when p_word ~ '[\u0600-\u06ff]' then d.language = 256
      else d.language < 128 end
    union all
    select 0, p_word
  ) s where s.stem is not null group by s.stem
$$;

/*
  The words that messages and topics of an organization have had, by their stems: by these a word is found in any of its forms,
  by its beginning, and in spite of a typing error. Words of messages up to the cursor are all there; those of the newest
  are looked up in the messages.
*/
create table search_terms (
  realm_id int not null references realms,
  stem text collate "C" not null,
  word text collate "C" not null,
  languages smallint not null,
  primary key (realm_id, stem, word)
);
create index search_terms_word on search_terms (realm_id, word);
create index search_terms_ending on search_terms (realm_id, (reverse(word)) collate "C") where stem = word;

create table search_cursors (
  realm_id int primary key references realms,
  message_id bigint not null
) with (fillfactor = 50);

-- Numbers, single letters, what is longer than words are, and runs without spaces are no terms.
create function is_search_term(p_word text) returns boolean language sql immutable strict parallel safe as $$
  select length(p_word) between 2 and 40 and p_word ~ '^[^0-9~]' and not (length(p_word) > 16 and p_word ~ '[0-9]')
    and p_word !~ '[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]'
$$;
create function note_search_terms(p_realm int, p_words text[]) returns void language sql as $$
  insert into search_terms (realm_id, stem, word, languages)
  select p_realm, s.stem, w.word, s.languages from (select distinct word from unnest(p_words) word) w
  cross join lateral stems_of_word(w.word) s
  where is_search_term(w.word)
    and not exists (select from search_terms t where t.realm_id = p_realm and t.word = w.word collate "C")
  order by s.stem, w.word
  on conflict do nothing
$$;

-- What an older message says or is called anew is noted at once: no cursor passes it again.
create function note_changed_terms() returns trigger language plpgsql as $$
begin
  perform note_search_terms(new.realm_id, tsvector_to_array(
    words_of_text(new.content) || coalesce(words_of_text((select name from topics where id = new.topic_id)), '')
  ));
  return null;
end
$$;
create trigger note_changed_terms after update of content, topic_id on messages
  for each row when (old.content is distinct from new.content or old.topic_id is distinct from new.topic_id)
  execute function note_changed_terms();
create function note_renamed_topic() returns trigger language plpgsql as $$
begin
  perform note_search_terms(
    (select realm_id from channels where id = new.channel_id), tsvector_to_array(words_of_text(new.name))
  );
  return null;
end
$$;
create trigger note_renamed_topic after update of name on topics
  for each row when (old.name is distinct from new.name) execute function note_renamed_topic();

-- Drops what only nodes of the version before search with, once none of them runs.
create function drop_english_search() returns void language plpgsql as $$
begin
  drop index if exists messages_search_in_realm, topics_search_in_channel;
  -- contract: nodes of this version search by keys alone
  alter table messages drop column if exists search;
end
$$;
-- A new deployment has no such nodes.
-- locks: tables that are empty
do $$ begin
  if not exists (select from realms) then perform drop_english_search(); end if;
end $$;
