-- Whether an account is past its organization's waiting period. It is recorded and not computed on demand, so that
-- the groups that clients are told of and the permissions that refer to them change in the same entry of the log.
alter table users add column is_full_member boolean not null default true;

update users u set is_full_member = false
from realms r
where r.id = u.realm_id
  and u.joined_at > now() - make_interval(days => coalesce((r.settings ->> 'waiting_period_threshold')::int, 0));

-- The job that ends waiting periods reads this index.
create index users_waiting on users (joined_at) where not is_full_member;
