-- online
-- Ids of what people make without end get columns of bigint beside those of int. Triggers fill them from what nodes of the
-- version before write, and backfills from what was there. What belongs to a message says its realm from now on.
alter table realm_heads add column message_id bigint not null default 0;
alter table messages add column wide_id bigint;
alter table message_flags add column wide_message_id bigint, add column realm_id int;
alter table message_edits add column wide_message_id bigint, add column realm_id int;
alter table reactions add column wide_message_id bigint, add column realm_id int;
alter table submessages add column wide_id bigint, add column wide_message_id bigint, add column realm_id int;
alter table attachments add column wide_id bigint;
alter table message_attachments add column wide_message_id bigint, add column wide_attachment_id bigint, add column realm_id int;
alter table webhook_deliveries add column wide_message_id bigint;
alter table pending_notifications add column wide_message_id bigint;
alter table pushed_messages add column wide_message_id bigint;
alter table archived_messages add column wide_id bigint;
alter table reminders add column wide_id bigint, add column wide_message_id bigint, add column realm_id int;
alter table message_moves add column wide_message_ids int8multirange;
alter table conversation_heads add column wide_first_message_id bigint;
alter table scheduled_messages add column wide_id bigint;
alter table scheduled_message_attachments add column wide_scheduled_message_id bigint, add column wide_attachment_id bigint;
alter table drafts add column wide_id bigint;

create function widen_ids() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'messages', 'attachments', 'archived_messages', 'scheduled_messages', 'drafts' then
      new.wide_id := new.id;
      if tg_table_name = 'messages' and tg_op = 'INSERT' then
        update realm_heads set message_id = new.id where realm_id = new.realm_id and message_id < new.id;
      end if;
    when 'message_flags', 'message_edits', 'reactions', 'webhook_deliveries', 'pending_notifications', 'pushed_messages' then
      new.wide_message_id := new.message_id;
    when 'submessages', 'reminders' then
      new.wide_id := new.id;
      new.wide_message_id := new.message_id;
    when 'message_attachments' then
      new.wide_message_id := new.message_id;
      new.wide_attachment_id := new.attachment_id;
    when 'message_moves' then
      new.wide_message_ids := new.message_ids::text::int8multirange;
    when 'conversation_heads' then
      new.wide_first_message_id := new.first_message_id;
    when 'scheduled_message_attachments' then
      new.wide_scheduled_message_id := new.scheduled_message_id;
      new.wide_attachment_id := new.attachment_id;
  end case;
  return new;
end
$$;

create function fill_realm() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'message_attachments' then
      select realm_id into new.realm_id from attachments where id = new.attachment_id;
    when 'submessages' then
      select realm_id into new.realm_id from users where id = new.sender_id;
    else
      select realm_id into new.realm_id from users where id = new.user_id;
  end case;
  return new;
end
$$;

create trigger widen_ids before insert or update on messages
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on message_flags
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on message_edits
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on reactions
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on submessages
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on attachments
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on message_attachments
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on webhook_deliveries
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on pending_notifications
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on pushed_messages
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on archived_messages
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on reminders
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on message_moves
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on conversation_heads
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on scheduled_messages
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on scheduled_message_attachments
  for each row execute function widen_ids();
create trigger widen_ids before insert or update on drafts
  for each row execute function widen_ids();
create trigger fill_realm before insert or update on message_flags
  for each row when (new.realm_id is null) execute function fill_realm();
create trigger fill_realm before insert or update on message_edits
  for each row when (new.realm_id is null) execute function fill_realm();
create trigger fill_realm before insert or update on reactions
  for each row when (new.realm_id is null) execute function fill_realm();
create trigger fill_realm before insert or update on submessages
  for each row when (new.realm_id is null) execute function fill_realm();
create trigger fill_realm before insert or update on message_attachments
  for each row when (new.realm_id is null) execute function fill_realm();
create trigger fill_realm before insert or update on reminders
  for each row when (new.realm_id is null) execute function fill_realm();

-- backfill messages t
update messages t set wide_id = t.id
where portion and t.wide_id is null;
-- backfill message_flags t
update message_flags t set wide_message_id = t.message_id,
  realm_id = (select u.realm_id from users u where u.id = t.user_id)
where portion and (t.wide_message_id is null or t.realm_id is null);
-- backfill message_edits t
update message_edits t set wide_message_id = t.message_id,
  realm_id = (select u.realm_id from users u where u.id = t.user_id)
where portion and (t.wide_message_id is null or t.realm_id is null);
-- backfill reactions t
update reactions t set wide_message_id = t.message_id,
  realm_id = (select u.realm_id from users u where u.id = t.user_id)
where portion and (t.wide_message_id is null or t.realm_id is null);
-- backfill submessages t
update submessages t set wide_id = t.id,
  wide_message_id = t.message_id,
  realm_id = (select u.realm_id from users u where u.id = t.sender_id)
where portion and (t.wide_id is null or t.realm_id is null);
-- backfill attachments t
update attachments t set wide_id = t.id
where portion and t.wide_id is null;
-- backfill message_attachments t
update message_attachments t set wide_message_id = t.message_id,
  wide_attachment_id = t.attachment_id,
  realm_id = (select a.realm_id from attachments a where a.id = t.attachment_id)
where portion and (t.wide_message_id is null or t.realm_id is null);
-- backfill webhook_deliveries t
update webhook_deliveries t set wide_message_id = t.message_id
where portion and t.wide_message_id is null;
-- backfill pending_notifications t
update pending_notifications t set wide_message_id = t.message_id
where portion and t.wide_message_id is null;
-- backfill pushed_messages t
update pushed_messages t set wide_message_id = t.message_id
where portion and t.wide_message_id is null;
-- backfill archived_messages t
update archived_messages t set wide_id = t.id
where portion and t.wide_id is null;
-- backfill reminders t
update reminders t set wide_id = t.id,
  wide_message_id = t.message_id,
  realm_id = (select u.realm_id from users u where u.id = t.user_id)
where portion and (t.wide_id is null or t.realm_id is null);
-- backfill message_moves t
update message_moves t set wide_message_ids = t.message_ids::text::int8multirange
where portion and t.wide_message_ids is null;
-- backfill conversation_heads t
update conversation_heads t set wide_first_message_id = t.first_message_id
where portion and t.wide_first_message_id is null and t.first_message_id is not null;
-- backfill scheduled_messages t
update scheduled_messages t set wide_id = t.id
where portion and t.wide_id is null;
-- backfill scheduled_message_attachments t
update scheduled_message_attachments t set wide_scheduled_message_id = t.scheduled_message_id,
  wide_attachment_id = t.attachment_id
where portion and t.wide_scheduled_message_id is null;
-- backfill drafts t
update drafts t set wide_id = t.id
where portion and t.wide_id is null;
