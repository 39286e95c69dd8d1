-- Locks something of a realm until the transaction ends: alone, or together with all who do not want it alone.
create or replace function lock_shared(p_realm int, p_kind text, p_name text, p_alone boolean) returns void
language plpgsql as $$
begin
  perform lock_as_before(p_realm, p_kind, p_name, p_alone);
  perform lock_row(p_realm, p_kind || ':' || p_name, p_alone);
end
$$;
