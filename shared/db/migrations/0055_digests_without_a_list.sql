-- What is written goes into the index at once, and not into a list that each look-up of an API key would read.
alter index users_key_digests set (fastupdate = off);
select gin_clean_pending_list('users_key_digests');
