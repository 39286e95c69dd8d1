-- online
/*
  Words are looked up as they are written by an index that has each of them once, and that answers alone. The one of before
  had them as often as they have stems, and not which of these the word itself is.
*/

create index concurrently search_terms_whole on search_terms (realm_id, word) where stem = word;
drop index concurrently search_terms_word;
