-- Groups that users create, beside those that stand for roles.
alter table user_groups
  add column is_deactivated boolean not null default false,
  add column creator_id int references users,
  add column created_at timestamptz,
  add column group_settings jsonb;
alter table user_groups drop constraint user_groups_realm_id_name_key;
create unique index user_groups_name on user_groups (realm_id, lower(name));

create table user_group_subgroups (
  realm_id int not null references realms,
  group_id int not null references user_groups,
  subgroup_id int not null references user_groups,
  primary key (realm_id, group_id, subgroup_id)
);

-- The groups that a user is a direct member of stand in the user's own row: whoever reads an account knows what its
-- groups permit, however large these are.
alter table users add column group_ids int[] not null default '{}';
create index users_groups on users using gin (group_ids);
