-- Creates the head of a realm's empty log, in which messages up to an id stand already, as after an import. Its epoch
-- distinguishes its seqs from those of an earlier log.
create or replace function create_log_head(p_realm int, p_message_id bigint) returns void language plpgsql as $$
begin
  insert into realm_heads (realm_id, message_id) values (p_realm, p_message_id);
end
$$;
