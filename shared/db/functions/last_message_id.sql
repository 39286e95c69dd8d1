/*
  Returns the id behind which a realm's next messages come.

  p_term       the term in which they are appended
  p_count      how many there are at most
  p_is_shared  whether all realms draw ids from one sequence, as long as nodes of the version before may run

  In a new term a thousand ids are left out, as skip_ids does of sequences: messages of a history that is lost had them, and
  clients may have seen these. Ids end below 2^53, where JSON would not carry them exactly; PL053 is a code of ours.
*/
create or replace function last_message_id(p_head realm_heads, p_term text, p_count int, p_is_shared boolean)
returns bigint language plpgsql stable as $$
declare
  last bigint := p_head.message_id;
begin
  if not p_is_shared and p_head.term not in ('', p_term) then
    last := last + 1000;
  end if;
  if last > 9007199254740991 - p_count then
    raise exception 'realm % has used up its message ids', p_head.realm_id using errcode = 'PL053';
  end if;
  return last;
end
$$;
