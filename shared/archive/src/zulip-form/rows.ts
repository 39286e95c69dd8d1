import * as model from '@parley/model';
import { channelGroupSettings } from '@parley/protocol';

import { numberOf } from '../convert/zulip/settings.ts';
import { type Form, type Row, addSubscription, rangesOf, secondsOf } from './form.ts';
import { addSubgroup, permissionColumns } from './groups.ts';
import { addUser } from './people.ts';

/** Adds a row of a table of ours to tables of Zulip. */
type Adder = (form: Form, row: Row) => Promise<void> | undefined;

/** Adds a row to a table that is much like ours. */
const like =
  (table: string, columns: (row: Row, form: Form) => object): Adder =>
  (form, row) => {
    const id = row['id'] ?? form.nextId(table);
    return form.tables.add(table, { id, ...columns(row, form) });
  };

const inRealm = (_: Row, { realmId }: Form) => ({ realm: realmId });
const ofUser = ({ user_id: user }: Row) => ({ user_profile: user });

/** Returns an emoji’s columns: the extra one has another name there. */
const emojiOf = (row: Row) => ({
  emoji_name: row['emoji_name'],
  emoji_code: row['emoji_code'],
  reaction_type:
    row['reaction_type'] === model.emoji.extraEmoji.type
      ? 'zulip_extra_emoji'
      : row['reaction_type'] || 'unicode_emoji',
});

const leftOut =
  (what: string): Adder =>
  (form) => {
    form.leaveOut(what);
    return undefined;
  };

const deliveryTypes = { message: 1, reminder: 2 } as const;

/** Adds what is to be sent to a recipient. */
async function addScheduled(form: Form, row: Row, recipient: number, more: object): Promise<void> {
  await form.tables.add('zerver_scheduledmessage', {
    sender: row['user_id'],
    recipient,
    content: row['content'],
    rendered_content: '',
    sending_client: await form.client(typeof row['client'] === 'string' ? row['client'] : 'website'),
    stream: null,
    subject: '\u0007',
    realm: form.realmId,
    scheduled_timestamp: secondsOf(row['due_at']),
    read_by_sender: row['read_by_sender'] ?? true,
    delivered: false,
    delivered_message: null,
    has_attachment: false,
    failed: false,
    failure_message: null,
    reminder_target_message_id: null,
    reminder_note: null,
    ...more,
  });
}

async function addScheduledMessage(form: Form, row: Row): Promise<void> {
  const to = (row['recipients'] as readonly number[]).map(Number);
  const isChannel = row['type'] === 'stream';
  const [first = 0] = to;
  const people = [...new Set([...to, Number(row['user_id'])])].sort((a, b) => a - b);
  const recipient = isChannel
    ? form.channels.get(first)?.conversation
    : await form.recipientOfPeople(people, Number(row['user_id']));
  const why = row['failure_message'];
  await addScheduled(form, row, recipient ?? 0, {
    // Of both tables the rows are in one there.
    id: form.scheduledId('message', Number(row['id'])),
    delivery_type: deliveryTypes.message,
    stream: isChannel ? first : null,
    subject: isChannel ? row['topic'] : '\u0007',
    failed: why !== null,
    failure_message: why,
  });
}

async function addChannel(form: Form, row: Row): Promise<void> {
  const [id, conversation] = [Number(row['id']), Number(row['conversation_id'])];
  form.channels.set(id, { conversation });
  await form.tables.add('zerver_recipient', { id: conversation, type: 2, type_id: id });
  if (row['is_default'] === true) {
    const number = form.nextId('zerver_defaultstream');
    await form.tables.add('zerver_defaultstream', { id: number, realm: form.realmId, stream: id });
  }
  await form.tables.add('zerver_stream', {
    id,
    realm: form.realmId,
    recipient: conversation,
    name: row['name'],
    description: row['description'],
    rendered_description: '',
    date_created: secondsOf(row['created_at']),
    creator: row['creator_id'],
    deactivated: row['is_archived'],
    invite_only: row['is_private'],
    is_web_public: row['is_web_public'],
    history_public_to_subscribers: row['shares_history'],
    is_in_zephyr_realm: false,
    message_retention_days: row['message_retention_days'],
    first_message_id: null,
    is_recently_active: row['is_recently_active'],
    topics_policy: numberOf('topics_policy', row['topics_policy']),
    folder: row['folder_id'],
    ...(await permissionColumns(form, channelGroupSettings, row['group_settings'] as Row)),
  });
}

async function addConversation(form: Form, row: Row): Promise<void> {
  const [id, people] = [Number(row['id']), row['people'] as readonly number[] | null];
  form.conversations.set(id, people);
  if (people !== null && people.length > 2) await form.addPeople(id, people);
}

async function addMember(form: Form, row: Row): Promise<void> {
  const [conversation, user] = [Number(row['conversation_id']), Number(row['user_id'])];
  const members = form.members.get(conversation) ?? [];
  form.members.set(conversation, members);
  members.push({ user, received: rangesOf(row['received']), read: rangesOf(row['read']) });
  if (form.conversations.get(conversation) !== null || row['was_subscribed'] !== true) return;
  await addSubscription(form, {
    user_profile: user,
    recipient: conversation,
    active: row['is_subscribed'],
    is_user_active: true,
    is_muted: row['is_muted'],
    color: row['color'],
    pin_to_top: row['pin_to_top'],
    desktop_notifications: row['desktop_notifications'],
    audible_notifications: row['audible_notifications'],
    push_notifications: row['push_notifications'],
    email_notifications: row['email_notifications'],
    wildcard_mentions_notify: row['wildcard_mentions_notify'],
  });
}

/** What becomes of the rows of each table but those of messages. */
export const adders: Readonly<Record<string, Adder>> = {
  users: addUser,
  user_group_subgroups: (form, row) => addSubgroup(form, Number(row['group_id']), Number(row['subgroup_id'])),
  custom_profile_fields: like('zerver_customprofilefield', (row, form) => ({
    ...inRealm(row, form),
    name: row['name'],
    hint: row['hint'],
    order: row['position'],
    field_type: row['type'],
    field_data: row['field_data'],
    display_in_profile_summary: row['is_in_summary'],
    required: row['is_required'],
    editable_by_user: row['is_editable_by_user'],
  })),
  custom_profile_values: like('zerver_customprofilefieldvalue', (row) => ({
    ...ofUser(row),
    field: row['field_id'],
    value: row['value'],
    rendered_value: row['rendered_value'],
  })),
  realm_emoji: (form, row) => {
    const [folder = '', extension = ''] = String(row['path']).split('.');
    const file = `${Number(row['id'])}.${extension}`;
    form.emoji.set(folder, file);
    return form.tables.add('zerver_realmemoji', {
      id: row['id'],
      realm: form.realmId,
      author: row['author_id'],
      name: row['name'],
      file_name: file,
      is_animated: row['still_path'] !== null,
      deactivated: row['is_deactivated'],
    });
  },
  realm_domains: like('zerver_realmdomain', (row, form) => ({
    ...inRealm(row, form),
    domain: row['domain'],
    allow_subdomains: row['allow_subdomains'],
  })),
  linkifiers: like('zerver_realmfilter', (row, form) => ({
    ...inRealm(row, form),
    pattern: row['pattern'],
    url_template: row['url_template'],
    order: row['position'],
  })),
  playgrounds: like('zerver_realmplayground', (row, form) => ({
    ...inRealm(row, form),
    name: row['name'],
    pygments_language: row['language'],
    url_template: row['url_template'],
  })),
  bot_services: like('zerver_service', (row) => ({
    user_profile: row['bot_id'],
    name: `bot-${Number(row['bot_id'])}`,
    base_url: row['base_url'],
    interface: row['interface'],
    token: row['token'],
  })),
  user_statuses: async (form, row) => {
    if (row['away'] === true) form.leaveOut('statuses that say “away” (their text is there)');
    await like('zerver_userstatus', () => ({
      ...ofUser(row),
      timestamp: 0,
      status_text: row['text'],
      ...emojiOf(row),
    }))(form, { ...row, client: await form.client('website') });
  },
  presences: like('zerver_userpresence', (row, form) => ({
    ...ofUser(row),
    ...inRealm(row, form),
    last_update_id: row['update_id'],
    last_active_time: secondsOf(row['active_at']),
    last_connected_time: secondsOf(row['idle_at']),
  })),
  channel_folders: like('zerver_channelfolder', (row, form) => ({
    ...inRealm(row, form),
    name: row['name'],
    description: row['description'],
    rendered_description: '',
    order: row['position'],
    date_created: secondsOf(row['created_at']),
    creator: row['creator_id'],
    is_archived: row['is_archived'],
  })),
  conversations: addConversation,
  channels: addChannel,
  topics: (form, row) => {
    form.topics.set(Number(row['id']), String(row['name']));
    form.topicChannels.set(Number(row['id']), Number(row['channel_id']));
    return undefined;
  },
  conversation_members: addMember,
  conversation_heads: () => undefined,
  alert_words: like('zerver_alertword', (row, form) => ({
    ...ofUser(row),
    ...inRealm(row, form),
    word: row['word'],
  })),
  muted_users: like('zerver_muteduser', (row) => ({
    ...ofUser(row),
    muted_user: row['muted_user_id'],
    date_muted: secondsOf(row['muted_at']),
  })),
  user_topics: like('zerver_usertopic', (row, { topics, topicChannels, channels }) => {
    const topic = Number(row['topic_id']);
    const channel = topicChannels.get(topic) ?? 0;
    return {
      ...ofUser(row),
      stream: channel,
      recipient: channels.get(channel)?.conversation,
      topic_name: topics.get(topic),
      last_updated: secondsOf(row['updated_at']),
      visibility_policy: row['policy'],
    };
  }),
  bot_storage: like('zerver_botstoragedata', (row) => ({
    bot_profile: row['user_id'],
    key: row['key'],
    value: row['value'],
  })),
  saved_snippets: like('zerver_savedsnippet', (row, form) => ({
    ...ofUser(row),
    ...inRealm(row, form),
    title: row['title'],
    content: row['content'],
    date_created: secondsOf(row['created_at']),
  })),
  navigation_views: like('zerver_navigationview', (row) => ({
    user: row['user_id'],
    fragment: row['fragment'],
    is_pinned: row['is_pinned'],
    name: row['name'],
  })),
  onboarding_steps_seen: like('zerver_onboardingstep', (row) => ({
    user: row['user_id'],
    timestamp: 0,
    onboarding_step: row['name'],
  })),
  attachments: (form, row) => {
    form.attachments.set(Number(row['id']), row);
    return undefined;
  },
  scheduled_messages: addScheduledMessage,
  scheduled_message_attachments: (form, row) => {
    const [message, attachment] = [Number(row['scheduled_message_id']), Number(row['attachment_id'])];
    const id = form.scheduledId('message', message);
    form.scheduledUploads.set(attachment, [...(form.scheduledUploads.get(attachment) ?? []), id]);
    return undefined;
  },
  reminders: (form, row) =>
    addScheduled(form, row, form.recipientOf(Number(row['user_id'])), {
      id: form.scheduledId('reminder', Number(row['id'])),
      delivery_type: deliveryTypes.reminder,
      reminder_target_message_id: row['message_id'],
      reminder_note: row['note'],
    }),
  message_moves: (form, row) => {
    form.moves.push({ ranges: rangesOf(row['message_ids']), entry: row });
    return undefined;
  },
  default_channel_groups: leftOut('groups of default channels'),
  drafts: leftOut('drafts'),
  invitations: leftOut('invitations'),
  link_previews: leftOut('previews of pages'),
  submessages: leftOut('polls and to-do lists: what was added to messages'),
};

export const reactionRow = (row: Row): object => ({
  id: row['id'],
  message: row['message_id'],
  user_profile: row['user_id'],
  ...emojiOf(row),
});
