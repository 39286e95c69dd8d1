import {
  type ExportedTable,
  array,
  ids,
  inRealm,
  ofConsenting,
  sharedChannel,
  sharedMessage,
  withoutRealm,
} from './table.ts';

const realm = { realm_id: ids('realms') };
const message = { message_id: ids('messages') };

/** Channels and conversations. */
export const places: readonly ExportedTable[] = [
  {
    name: 'channel_folders',
    draws: 'channel_folders',
    rows: inRealm,
    refs: {
      ...realm,
      position: 'plain',
      creator_id: ids('users'),
      description: 'text',
    },
    order: 'id',
  },
  {
    name: 'conversations',
    draws: 'conversations',
    rows: inRealm,
    shared: (scope) => `case when t.people is null then
        not exists (
          select from channels c where c.realm_id = ${scope.realmId} and c.conversation_id = t.id and not ${sharedChannel('c', scope)})
      else t.people && ${array(scope.consenting ?? [])} end`,
    refs: { ...realm, people: ids('users') },
    order: 'id',
  },
  {
    name: 'channels',
    draws: 'channels',
    rows: inRealm,
    shared: (scope) => sharedChannel('t', scope),
    refs: {
      ...realm,
      conversation_id: ids('conversations'),
      description: 'text',
      creator_id: ids('users'),
      group_settings: 'permissions',
      message_retention_days: 'plain',
      folder_id: ids('channel_folders'),
      weekly_traffic: 'plain',
    },
    order: 'id',
  },
  {
    name: 'default_channel_groups',
    draws: 'default_channel_groups',
    rows: inRealm,
    refs: { ...realm, channel_ids: ids('channels') },
    loose: { channel_ids: 'omit' },
    order: 'id',
  },
  {
    name: 'topics',
    draws: 'topics',
    rows: inRealm,
    ...withoutRealm,
    shared: (scope) => `exists (
      select from channels c where c.realm_id = ${scope.realmId} and c.id = t.channel_id and (not c.is_private or exists (
      select from messages m where m.realm_id = ${scope.realmId} and m.topic_id = t.id and ${sharedMessage('m', scope)})))`,
    refs: { channel_id: ids('channels') },
    order: 'id',
  },
  {
    name: 'conversation_members',
    rows: inRealm,
    ...withoutRealm,
    shared: (scope) => `exists (
      select from conversations c where c.realm_id = ${scope.realmId} and c.id = t.conversation_id and case
      when c.people is null then
        not exists (
          select from channels h where h.realm_id = ${scope.realmId} and h.conversation_id = c.id and not ${sharedChannel('h', scope)})
      else c.people && ${array(scope.consenting ?? [])} end)`,
    owner: 't.user_id',
    blanked: {
      read: 't.received',
      color: `'#c2c2c2'`,
      pin_to_top: 'false',
      is_muted: 'false',
      desktop_notifications: 'null::boolean',
      audible_notifications: 'null::boolean',
      push_notifications: 'null::boolean',
      email_notifications: 'null::boolean',
      wildcard_mentions_notify: 'null::boolean',
    },
    // Received and read are ranges of ordinals, which stay what they are.
    refs: {
      conversation_id: ids('conversations'),
      user_id: ids('users'),
      received: 'plain',
      read: 'plain',
    },
    order: 'conversation_id, user_id',
  },
  {
    name: 'conversation_heads',
    rows: inRealm,
    takesRealm: true,
    shared: (scope) => `exists (
      select from conversations c where c.realm_id = ${scope.realmId} and c.id = t.conversation_id and case
      when c.people is null then
        not exists (
          select from channels h where h.realm_id = ${scope.realmId} and h.conversation_id = c.id and not ${sharedChannel('h', scope)})
      else c.people && ${array(scope.consenting ?? [])} end)`,
    omitted: ['realm_id', 'audience_id', 'first_message_id'],
    refs: { conversation_id: ids('conversations'), ordinal: 'plain' },
    order: 'conversation_id',
  },
];

/** What belongs to messages as a whole. */
export const files: readonly ExportedTable[] = [
  {
    name: 'attachments',
    draws: 'attachments',
    rows: inRealm,
    shared: (scope) => `(${ofConsenting('owner_id')(scope)} or exists (
      select from message_attachments r join messages m on m.realm_id = r.realm_id and m.id = r.message_id
      where r.realm_id = ${scope.realmId} and r.attachment_id = t.id and ${sharedMessage('m', scope)}))`,
    // As if it had been released just now, so that it is not deleted before its messages are there.
    reset: { released_at: 'now' },
    refs: { ...realm, owner_id: ids('users'), path_id: 'path', size: 'plain', image: 'plain' },
    order: 'id',
  },
  {
    name: 'scheduled_messages',
    draws: 'scheduled_messages',
    rows: (realmId) => `${inRealm(realmId)} and t.sent_at is null`,
    ...withoutRealm,
    shared: ofConsenting(),
    refs: {
      user_id: ids('users'),
      recipients: 'draft recipients',
      content: 'text',
    },
    loose: { recipients: 'row' },
    order: 'id',
  },
  {
    name: 'scheduled_message_attachments',
    rows: (realmId) => `t.realm_id = ${realmId} and t.scheduled_message_id in (
      select s.id from scheduled_messages s where s.realm_id = ${realmId} and s.sent_at is null)`,
    ...withoutRealm,
    shared: ({ consenting, realmId }) => `exists (
      select from scheduled_messages s join attachments a on a.realm_id = s.realm_id and a.owner_id = s.user_id
      where s.realm_id = ${realmId} and s.id = t.scheduled_message_id and a.id = t.attachment_id and s.user_id = any(${array(consenting ?? [])}))`,
    refs: { scheduled_message_id: ids('scheduled_messages'), attachment_id: ids('attachments') },
    loose: { scheduled_message_id: 'row' },
    order: 'scheduled_message_id, attachment_id',
  },
  {
    name: 'reminders',
    draws: 'reminders',
    rows: inRealm,
    ...withoutRealm,
    shared: ofConsenting(),
    refs: {
      user_id: ids('users'),
      message_id: 'remembered message',
      content: 'text',
    },
    order: 'id',
  },
  {
    name: 'link_previews',
    rows: inRealm,
    // The addresses of pages tell what is in messages.
    shared: 'never',
    refs: { ...realm, facts: 'plain' },
    order: 'url',
  },
  {
    name: 'message_moves',
    draws: 'message_moves',
    rows: inRealm,
    shared: (
      scope,
    ) => `not exists (select from channels c where c.realm_id = ${scope.realmId} and c.id in (t.channel_id, t.prev_channel_id)
      and not ${sharedChannel('c', scope)})`,
    refs: {
      ...realm,
      user_id: ids('users'),
      message_ids: 'message ranges',
      prev_channel_id: ids('channels'),
      channel_id: ids('channels'),
    },
    order: 'id',
  },
];

/** Messages, and what belongs to each. */
export const messages: readonly ExportedTable[] = [
  {
    name: 'messages',
    draws: 'messages',
    rows: inRealm,
    shared: (scope) => sharedMessage('t', scope),
    omitted: ['search'],
    // Queues and jobs are those of the deployment that the message was sent in.
    reset: { previews_due_at: null, queue_id: null, local_id: null },
    refs: {
      ...realm,
      conversation_id: ids('conversations'),
      ordinal: 'plain',
      channel_id: ids('channels'),
      topic_id: ids('topics'),
      sender_id: ids('users'),
      content: 'text',
      read_by: ids('users'),
      unread_for: ids('users'),
    },
    order: 'id',
  },
  {
    name: 'message_flags',
    rows: inRealm,
    ...withoutRealm,
    shared: ofConsenting(),
    refs: { ...message, user_id: ids('users') },
    order: 'message_id, user_id',
    ofMessages: true,
  },
  {
    name: 'message_edits',
    draws: 'message_edits',
    rows: inRealm,
    ...withoutRealm,
    refs: { ...message, user_id: ids('users'), prev_content: 'text' },
    order: 'id',
    ofMessages: true,
  },
  {
    name: 'reactions',
    draws: 'reactions',
    rows: inRealm,
    ...withoutRealm,
    refs: { ...message, user_id: ids('users'), emoji_code: 'emoji code' },
    order: 'id',
    ofMessages: true,
  },
  {
    name: 'submessages',
    draws: 'submessages',
    rows: inRealm,
    ...withoutRealm,
    refs: { ...message, sender_id: ids('users'), content: 'submessage' },
    order: 'id',
    ofMessages: true,
  },
  {
    name: 'message_attachments',
    rows: inRealm,
    ...withoutRealm,
    refs: { ...message, attachment_id: ids('attachments') },
    order: 'message_id, attachment_id',
    ofMessages: true,
  },
];
