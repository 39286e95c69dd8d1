-- Invitations to a realm: to an email address, or by a link that anybody may use. Their keys are in no table: the server
-- secret makes them from the ids.
create table invitations (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  inviter_id int not null references users,
  -- Null for a link.
  email text,
  -- The link by which somebody asked for this invitation to their own address.
  link_id bigint references invitations,
  role smallint not null,
  channel_ids int[] not null,
  group_ids int[] not null,
  includes_defaults boolean not null,
  notifies_inviter boolean not null,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  created_at timestamptz not null,
  -- Null if it is valid for ever.
  expires_at timestamptz,
  -- How many mails were sent about it.
  mails smallint not null default 0
);
create index invitations_of_realm on invitations (realm_id, created_at);
create index invitations_of_inviter on invitations (inviter_id);
create index invitations_of_address on invitations (realm_id, lower(email)) where email is not null;
create index invitations_of_link on invitations (link_id) where link_id is not null;
