-- The table has no key that consists of columns alone. Without this, a database that is published as a whole, for a new
-- major version of Postgres, refuses to delete a word.
alter table alert_words replica identity full;
