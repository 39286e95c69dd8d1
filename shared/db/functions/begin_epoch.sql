/*
  Begins a new epoch of a realm's log: all queues of the realm end, and their clients register again.

  p_former  how epochs begin of which nothing is to be said any more, beside the present one
*/
create or replace function begin_epoch(p_realm int, p_former text[]) returns void language plpgsql as $$
declare
  -- Citus refuses volatile functions in the UPDATE of a distributed table, and crashes at an array that is cut there.
  v_epoch uuid := gen_random_uuid();
  v_now timestamptz := clock_timestamp();
  v_former text[];
begin
  select array[left(h.epoch::text, 8)] || p_former || h.former_epochs into v_former
    from realm_heads h where h.realm_id = p_realm for update;
  v_former := v_former[1:50];
  update realm_heads set epoch = v_epoch, epoch_began_at = v_now, former_epochs = v_former where realm_id = p_realm;
end
$$;
