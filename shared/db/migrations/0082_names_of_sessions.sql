/*
  What a browser says of itself when its session begins, so that a person can tell their sessions apart. Null in those that
  began before.
*/
alter table sessions add column user_agent text;
