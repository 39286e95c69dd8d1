/*
  What a transaction has to itself, or shares, until it ends: a row for each thing that is shared, and none for a name, which
  `lock_name` removes again. It is worth nothing after a crash, so it is not logged.
*/
create unlogged table realm_locks (
  realm_id int not null,
  name text collate "C" not null,
  primary key (realm_id, name)
);

-- Locks the same as nodes of the version before do.
create function lock_as_before(p_realm int, p_kind text, p_name text, p_alone boolean) returns void
language plpgsql as $$
begin
  case
    when p_kind = 'topic policies' and p_alone then perform pg_advisory_xact_lock(2, p_name::int);
    when p_kind = 'topic policies' then perform pg_advisory_xact_lock_shared(2, p_name::int);
    when p_kind = 'user groups' and p_alone then perform pg_advisory_xact_lock(3, p_realm);
    when p_kind = 'user groups' then perform pg_advisory_xact_lock_shared(3, p_realm);
    when p_kind = 'schedule' then perform pg_advisory_xact_lock(4, p_name::int);
    else perform pg_advisory_xact_lock(hashtextextended(p_kind || ':' || p_realm || ':' || p_name, 0));
  end case;
end
$$;

-- Once no node of the version before runs, nobody locks in that way.
create function end_locks_of_before() returns void language plpgsql as $$
begin
  create or replace function lock_as_before(p_realm int, p_kind text, p_name text, p_alone boolean) returns void
  language plpgsql as 'begin end';
end
$$;

-- A new deployment has no such nodes.
-- locks: no table
do $$ begin
  if not exists (select from realms) then perform end_locks_of_before(); end if;
end $$;
