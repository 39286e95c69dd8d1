-- Notes words of a realm by which its messages can be searched for.
create or replace function note_search_terms(p_realm int, p_words text[]) returns void language plpgsql as $$
begin
  insert into search_terms (realm_id, stem, word, languages)
  select p_realm, s.stem, w.word, s.languages from (select distinct word from unnest(p_words) word) w
  cross join lateral stems_of_word(w.word) s
  where is_search_term(w.word)
    and not exists (
      select from search_terms t where t.realm_id = p_realm and t.word = w.word collate "C" and t.stem = t.word
    )
  order by s.stem, w.word
  on conflict do nothing;
end
$$;
