alter table messages
  -- The version of the renderer that produced the HTML. HTML of an older version is rendered again when it is read.
  add column rendered_version smallint not null default 0;

alter table channels add column rendered_description text not null default '';
alter table channel_folders add column rendered_description text not null default '';
alter table realms add column rendered_description text not null default '';

create function pg_temp.as_paragraph(content text) returns text language sql as $$
  select case when content = '' then '' else
    '<p>' || replace(replace(replace(content, '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '</p>'
  end
$$;
update channels set rendered_description = pg_temp.as_paragraph(description);
update channel_folders set rendered_description = pg_temp.as_paragraph(description);
update realms set rendered_description = pg_temp.as_paragraph(description);

-- Finds the users whom a text names.
create index users_name on users (realm_id, lower(full_name));
