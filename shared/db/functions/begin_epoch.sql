/*
  Begins a new epoch of a realm's log: all queues of the realm end, and their clients register again.

  p_former  how epochs begin of which nothing is to be said any more, beside the present one
*/
create or replace function begin_epoch(p_realm int, p_former text[]) returns void language plpgsql as $$
begin
  update realm_heads h
    set epoch = gen_random_uuid(),
        epoch_began_at = clock_timestamp(),
        former_epochs = (array[left(h.epoch::text, 8)] || p_former || h.former_epochs)[1:50]
    where h.realm_id = p_realm;
end
$$;
