-- online
-- The wide columns take the places and the names of those of int: a moment, since all that they need is there. Statements
-- of nodes of the version before go on, because ids are small as long as such nodes run.

-- Ends connections of nodes: they open others. Statements that were prepared before a column had another type are refused in
-- a transaction of an old connection, which is a bug to a node, and not in a new one. What ends with its connection is asked
-- again. A statement outside of a transaction is prepared anew: what appends at the moment goes on, and its connection ends
-- when it is idle, before it has a transaction. Whoever connects after p_before prepares nothing before the tables have their
-- new columns.
create function end_connections(p_before timestamptz, p_waits_for_appends boolean) returns void language plpgsql as $$
declare
  until_at constant timestamptz :=
    clock_timestamp() + case when p_waits_for_appends then interval '5 seconds' else interval '0.5 seconds' end;
begin
  while clock_timestamp() < until_at loop
    perform pg_stat_clear_snapshot();
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and backend_start < p_before
        and application_name like 'parley-%' and application_name not like 'parley-migrate%'
        and (state = 'idle' or query not like '%append_%')
        and (
          state like 'idle%'
          or (xact_start + interval '100 microseconds' < query_start and pg_backend_pid() = any (pg_blocking_pids(pid)))
        );
    -- Who is busy with other tables, comes to one of these next, or is idle.
    exit when not exists (
      select from pg_stat_activity
        where datname = current_database() and usename = current_user and backend_start < p_before
          and application_name like 'parley-%' and application_name not like 'parley-migrate%'
          and state = 'active' and (p_waits_for_appends or query not like '%append_%')
          and not pg_backend_pid() = any (pg_blocking_pids(pid))
    );
    perform pg_sleep(0.003);
  end loop;
end
$$;

-- What nodes of the version before ask of the ids of moves, which are ranges of int there.
create function moves_overlap(int8multirange, int4multirange) returns boolean language sql stable as $$
  select $1 && $2::text::int8multirange
$$;
create function moves_among(int8multirange, int4multirange) returns int8multirange language sql stable as $$
  select $1 * $2::text::int8multirange
$$;
create function moves_contain(int8multirange, int) returns boolean language sql stable as $$
  select $1 @> $2::bigint
$$;
create operator && (leftarg = int8multirange, rightarg = int4multirange, function = moves_overlap);
create operator * (leftarg = int8multirange, rightarg = int4multirange, function = moves_among);
create operator @> (leftarg = int8multirange, rightarg = int, function = moves_contain);
-- They write such ranges, too. Only a superuser may say how these become wider; without it, such nodes move no message.
-- locks: no table
do $$ begin
  create cast (int4multirange as int8multirange) with inout as assignment;
exception when insufficient_privilege or duplicate_object then null;
end $$;

-- Nodes of the versions before append by functions that read ids as int. A call of one that waits for the head of a log
-- while ids become wide goes on with the body that it began with, and meets ids of the other type: where an answer has to be
-- int, and where a field was int when the connection prepared what reads it. So they get bodies before that suit both.
-- locks: no table
do $$
declare
  appending record;
  suited text;
begin
  for appending in
    select pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = current_schema::regnamespace and proname in ('append_messages', 'append_to_log')
  loop
    suited := replace(appending.definition, 'select m.id from messages', 'select m.id::int from messages');
    suited := replace(
      suited, 'conversation.first_message_id', '(to_jsonb(conversation) ->> ''first_message_id'')::bigint'
    );
    if suited <> appending.definition then execute suited; end if;
  end loop;
end $$;

-- Waits until transactions of nodes are over that began before, and may call the bodies of before. If one that appends, or
-- waits for its node, takes longer, this is tried again: nodes end theirs after a while. Others read for long, and append
-- nothing.
create function await_transactions() returns void language plpgsql as $$
declare
  since constant timestamptz := clock_timestamp();
  are_over boolean;
begin
  loop
    perform pg_stat_clear_snapshot();
    select count(*) = 0 or (
        clock_timestamp() > since + interval '7 seconds' and not bool_or(state like 'idle%' or query like '%append_%')
      ) into are_over
      from pg_stat_activity
      where datname = current_database() and usename = current_user and xact_start < since
        and application_name like 'parley-%' and application_name not like 'parley-migrate%';
    exit when are_over;
    if clock_timestamp() > since + interval '7 seconds' then
      raise exception 'transactions that may append are not over' using errcode = 'lock_not_available';
    end if;
    perform pg_sleep(0.01);
  end loop;
end
$$;
select await_transactions();
drop function await_transactions();

begin;
lock table
  messages, message_flags, message_edits, reactions, submessages, attachments, message_attachments,
  webhook_deliveries, pending_notifications, pushed_messages, archived_messages, reminders, message_moves,
  conversation_heads, scheduled_messages, scheduled_message_attachments, drafts, notification_cursors,
  realm_exports
  in access exclusive mode;

drop trigger widen_ids on messages;
alter table message_flags drop constraint message_flags_message_id_fkey;
alter table message_edits drop constraint message_edits_message_id_fkey;
alter table reactions drop constraint reactions_message_id_fkey;
alter table submessages drop constraint submessages_message_id_fkey;
alter table message_attachments drop constraint message_attachments_message_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_message_id_fkey;
-- contract: a trigger fills what the version before does not write
alter table messages alter column wide_id set not null;
alter table messages drop constraint wide_ids;
alter table messages drop constraint messages_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table messages drop column id;
-- contract: the same
alter table messages rename column wide_id to id;
alter table messages add constraint messages_pkey primary key using index wide_messages_pkey;
-- contract: nobody names it
alter index wide_messages_ordinal rename to messages_ordinal;
-- contract: nobody names it
alter index wide_messages_conversation rename to messages_conversation;
-- contract: nobody names it
alter index wide_messages_channel rename to messages_channel;
-- contract: nobody names it
alter index wide_messages_topic rename to messages_topic;
-- contract: nobody names it
alter index wide_messages_sender rename to messages_sender;
-- contract: nobody names it
alter index wide_messages_with_link rename to messages_with_link;
-- contract: nobody names it
alter index wide_messages_with_image rename to messages_with_image;
-- contract: nobody names it
alter index wide_messages_with_attachment rename to messages_with_attachment;
-- contract: nobody names it
alter index wide_messages_mention_channel rename to messages_mention_channel;

drop trigger widen_ids on message_flags;
-- contract: a trigger fills what the version before does not write
alter table message_flags alter column wide_message_id set not null, alter column realm_id set not null;
alter table message_flags drop constraint wide_ids;
alter table message_flags drop constraint message_flags_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table message_flags drop column message_id;
-- contract: the same
alter table message_flags rename column wide_message_id to message_id;
alter table message_flags add constraint message_flags_pkey primary key using index wide_message_flags_pkey;
-- contract: nobody names it
alter index wide_message_flags_message rename to message_flags_message;
-- contract: nobody names it
alter index wide_message_flags_starred rename to message_flags_starred;
-- contract: nobody names it
alter index wide_message_flags_mentioned rename to message_flags_mentioned;
-- contract: nobody names it
alter index wide_message_flags_alerted rename to message_flags_alerted;
-- contract: nobody names it
alter table message_flags rename constraint wide_message_id_fkey to message_flags_message_id_fkey;

drop trigger widen_ids on message_edits;
-- contract: a trigger fills what the version before does not write
alter table message_edits alter column wide_message_id set not null, alter column realm_id set not null;
alter table message_edits drop constraint wide_ids;
-- contract: its values are in the wide column, which has the name from here on
alter table message_edits drop column message_id;
-- contract: the same
alter table message_edits rename column wide_message_id to message_id;
-- contract: nobody names it
alter index wide_message_edits_message rename to message_edits_message;
-- contract: nobody names it
alter table message_edits rename constraint wide_message_id_fkey to message_edits_message_id_fkey;

drop trigger widen_ids on reactions;
-- contract: a trigger fills what the version before does not write
alter table reactions alter column wide_message_id set not null, alter column realm_id set not null;
alter table reactions drop constraint wide_ids;
-- contract: its values are in the wide column, which has the name from here on
alter table reactions drop column message_id;
-- contract: the same
alter table reactions rename column wide_message_id to message_id;
-- contract: nobody names it
alter index wide_reactions_once rename to reactions_once;
-- contract: nobody names it
alter index wide_reactions_user rename to reactions_user;
-- contract: nobody names it
alter table reactions rename constraint wide_message_id_fkey to reactions_message_id_fkey;

drop trigger widen_ids on submessages;
create temporary table next_submessages_id on commit drop as select nextval(pg_get_serial_sequence('submessages', 'id')) as id;
-- contract: a trigger fills what the version before does not write
alter table submessages alter column wide_id set not null, alter column wide_message_id set not null, alter column realm_id set not null;
alter table submessages drop constraint wide_ids;
alter table submessages drop constraint submessages_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table submessages drop column id, drop column message_id;
-- contract: the same
alter table submessages rename column wide_id to id;
-- contract: the same
alter table submessages rename column wide_message_id to message_id;
alter table submessages add constraint submessages_pkey primary key using index wide_submessages_pkey;
-- contract: nobody names it
alter index wide_submessages_message rename to submessages_message;
-- contract: nobody names it
alter table submessages rename constraint wide_message_id_fkey to submessages_message_id_fkey;
-- locks: nothing more than the block
do $$ begin
  execute format('alter table submessages alter column id add generated always as identity (start with %s)', (select id from next_submessages_id));
end $$;

drop trigger widen_ids on attachments;
alter table message_attachments drop constraint message_attachments_attachment_id_fkey;
alter table scheduled_message_attachments drop constraint scheduled_message_attachments_attachment_id_fkey;
create temporary table next_attachments_id on commit drop as select nextval(pg_get_serial_sequence('attachments', 'id')) as id;
-- contract: a trigger fills what the version before does not write
alter table attachments alter column wide_id set not null;
alter table attachments drop constraint wide_ids;
alter table attachments drop constraint attachments_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table attachments drop column id;
-- contract: the same
alter table attachments rename column wide_id to id;
alter table attachments add constraint attachments_pkey primary key using index wide_attachments_pkey;
-- locks: nothing more than the block
do $$ begin
  execute format('alter table attachments alter column id add generated always as identity (start with %s)', (select id from next_attachments_id));
end $$;

drop trigger widen_ids on message_attachments;
-- contract: a trigger fills what the version before does not write
alter table message_attachments alter column wide_message_id set not null, alter column wide_attachment_id set not null, alter column realm_id set not null;
alter table message_attachments drop constraint wide_ids;
alter table message_attachments drop constraint message_attachments_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table message_attachments drop column message_id, drop column attachment_id;
-- contract: the same
alter table message_attachments rename column wide_message_id to message_id;
-- contract: the same
alter table message_attachments rename column wide_attachment_id to attachment_id;
alter table message_attachments add constraint message_attachments_pkey primary key using index wide_message_attachments_pkey;
-- contract: nobody names it
alter index wide_message_attachments_attachment rename to message_attachments_attachment;
-- contract: nobody names it
alter table message_attachments rename constraint wide_message_id_fkey to message_attachments_message_id_fkey;
-- contract: nobody names it
alter table message_attachments rename constraint wide_attachment_id_fkey to message_attachments_attachment_id_fkey;

drop trigger widen_ids on webhook_deliveries;
-- contract: a trigger fills what the version before does not write
alter table webhook_deliveries alter column wide_message_id set not null;
alter table webhook_deliveries drop constraint wide_ids;
-- contract: its values are in the wide column, which has the name from here on
alter table webhook_deliveries drop column message_id;
-- contract: the same
alter table webhook_deliveries rename column wide_message_id to message_id;
-- contract: nobody names it
alter index wide_webhook_deliveries_once rename to webhook_deliveries_once;
-- contract: nobody names it
alter index wide_webhook_deliveries_pending rename to webhook_deliveries_pending;
-- contract: nobody names it
alter table webhook_deliveries rename constraint wide_message_id_fkey to webhook_deliveries_message_id_fkey;

drop trigger widen_ids on pending_notifications;
-- contract: a trigger fills what the version before does not write
alter table pending_notifications alter column wide_message_id set not null;
alter table pending_notifications drop constraint wide_ids;
-- contract: its values are in the wide column, which has the name from here on
alter table pending_notifications drop column message_id;
-- contract: the same
alter table pending_notifications rename column wide_message_id to message_id;
-- contract: nobody names it
alter index wide_pending_notifications_once rename to pending_notifications_once;

drop trigger widen_ids on pushed_messages;
-- contract: a trigger fills what the version before does not write
alter table pushed_messages alter column wide_message_id set not null;
alter table pushed_messages drop constraint wide_ids;
alter table pushed_messages drop constraint pushed_messages_pkey;
drop index pushed_messages_of_realm;
-- contract: its values are in the wide column, which has the name from here on
alter table pushed_messages drop column message_id;
-- contract: the same
alter table pushed_messages rename column wide_message_id to message_id;
alter table pushed_messages add constraint pushed_messages_pkey primary key using index wide_pushed_messages_pkey;
-- contract: nobody names it
alter index wide_pushed_messages_of_message rename to pushed_messages_of_message;

drop trigger widen_ids on archived_messages;
-- contract: a trigger fills what the version before does not write
alter table archived_messages alter column wide_id set not null;
alter table archived_messages drop constraint wide_ids;
alter table archived_messages drop constraint archived_messages_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table archived_messages drop column id;
-- contract: the same
alter table archived_messages rename column wide_id to id;
alter table archived_messages add constraint archived_messages_pkey primary key using index wide_archived_messages_pkey;

drop trigger widen_ids on reminders;
create temporary table next_reminders_id on commit drop as select nextval(pg_get_serial_sequence('reminders', 'id')) as id;
-- contract: a trigger fills what the version before does not write
alter table reminders alter column wide_id set not null, alter column wide_message_id set not null, alter column realm_id set not null;
alter table reminders drop constraint wide_ids;
alter table reminders drop constraint reminders_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table reminders drop column id, drop column message_id;
-- contract: the same
alter table reminders rename column wide_id to id;
-- contract: the same
alter table reminders rename column wide_message_id to message_id;
alter table reminders add constraint reminders_pkey primary key using index wide_reminders_pkey;
-- contract: nobody names it
alter index wide_reminders_of_user rename to reminders_of_user;
-- locks: nothing more than the block
do $$ begin
  execute format('alter table reminders alter column id add generated always as identity (start with %s)', (select id from next_reminders_id));
end $$;

drop trigger widen_ids on message_moves;
-- contract: a trigger fills what the version before does not write
alter table message_moves alter column wide_message_ids set not null;
alter table message_moves drop constraint wide_ids;
-- contract: its values are in the wide column, which has the name from here on
alter table message_moves drop column message_ids;
-- contract: the same
alter table message_moves rename column wide_message_ids to message_ids;
-- contract: nobody names it
alter index wide_message_moves_ids rename to message_moves_ids;

drop trigger widen_ids on conversation_heads;
-- contract: its values are in the wide column, which has the name from here on
alter table conversation_heads drop column first_message_id;
-- contract: the same
alter table conversation_heads rename column wide_first_message_id to first_message_id;

drop trigger widen_ids on scheduled_messages;
alter table scheduled_message_attachments drop constraint scheduled_message_attachments_scheduled_message_id_fkey;
create temporary table next_scheduled_messages_id on commit drop as select nextval(pg_get_serial_sequence('scheduled_messages', 'id')) as id;
-- contract: a trigger fills what the version before does not write
alter table scheduled_messages alter column wide_id set not null;
alter table scheduled_messages drop constraint wide_ids;
alter table scheduled_messages drop constraint scheduled_messages_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table scheduled_messages drop column id;
-- contract: the same
alter table scheduled_messages rename column wide_id to id;
alter table scheduled_messages add constraint scheduled_messages_pkey primary key using index wide_scheduled_messages_pkey;
-- contract: nobody names it
alter index wide_scheduled_messages_of_user rename to scheduled_messages_of_user;
-- locks: nothing more than the block
do $$ begin
  execute format('alter table scheduled_messages alter column id add generated always as identity (start with %s)', (select id from next_scheduled_messages_id));
end $$;

drop trigger widen_ids on scheduled_message_attachments;
-- contract: a trigger fills what the version before does not write
alter table scheduled_message_attachments alter column wide_scheduled_message_id set not null, alter column wide_attachment_id set not null;
alter table scheduled_message_attachments drop constraint wide_ids;
alter table scheduled_message_attachments drop constraint scheduled_message_attachments_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table scheduled_message_attachments drop column scheduled_message_id, drop column attachment_id;
-- contract: the same
alter table scheduled_message_attachments rename column wide_scheduled_message_id to scheduled_message_id;
-- contract: the same
alter table scheduled_message_attachments rename column wide_attachment_id to attachment_id;
alter table scheduled_message_attachments add constraint scheduled_message_attachments_pkey primary key using index wide_scheduled_message_attachments_pkey;
-- contract: nobody names it
alter index wide_scheduled_messages_of_attachment rename to scheduled_messages_of_attachment;
-- contract: nobody names it
alter table scheduled_message_attachments rename constraint wide_scheduled_message_id_fkey to scheduled_message_attachments_scheduled_message_id_fkey;
-- contract: nobody names it
alter table scheduled_message_attachments rename constraint wide_attachment_id_fkey to scheduled_message_attachments_attachment_id_fkey;

drop trigger widen_ids on drafts;
create temporary table next_drafts_id on commit drop as select nextval(pg_get_serial_sequence('drafts', 'id')) as id;
-- contract: a trigger fills what the version before does not write
alter table drafts alter column wide_id set not null;
alter table drafts drop constraint wide_ids;
alter table drafts drop constraint drafts_pkey;
-- contract: its values are in the wide column, which has the name from here on
alter table drafts drop column id;
-- contract: the same
alter table drafts rename column wide_id to id;
alter table drafts add constraint drafts_pkey primary key using index wide_drafts_pkey;
-- contract: nobody names it
alter index wide_drafts_of_user rename to drafts_of_user;
-- locks: nothing more than the block
do $$ begin
  execute format('alter table drafts alter column id add generated always as identity (start with %s)', (select id from next_drafts_id));
end $$;

-- contract: the version before reads and writes small ids
-- locks: a row for each organization
alter table notification_cursors alter column message_id type bigint;

-- contract: the version before reads and writes small numbers
-- locks: a few rows for each organization
alter table realm_exports alter column messages type bigint, alter column messages_total type bigint;

alter sequence message_ids as bigint;
drop function widen_ids();

select set_config('parley.changed_at', clock_timestamp()::text, false);
select end_connections(clock_timestamp(), false);
commit;

select end_connections(
  coalesce(nullif(current_setting('parley.changed_at', true), '')::timestamptz, clock_timestamp()), true
);
drop function end_connections(timestamptz, boolean);
