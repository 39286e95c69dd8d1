import type * as model from '@parley/model';
import { type FetchedMessage, emptyTopicDisplayName, notificationTimes } from '@parley/protocol';
import type { PushNotification } from '@parley/push';
import { type LanguageTag, joinNames, pushText, serverLanguageOf } from '@parley/strings';

import { browserFields } from './browser-fields.ts';
import { readMessage } from './read-message.ts';

const contentLengthMax = 200;
const validSeconds = notificationTimes.pushMs / 1000;

/** The fields by which an app knows the account that a notification is for. */
const accountFields = ({ realm, realmName, actor }: model.notifications.NotifiedUser) => ({
  server: realm.host,
  realm_id: realm.id,
  realm_name: realmName,
  realm_uri: realm.url,
  realm_url: realm.url,
  user_id: actor.id,
});

/** Returns the notification of a message, which must be one that the user may read. */
export async function pushNotification(
  user: model.notifications.NotifiedUser,
  message: FetchedMessage,
): Promise<PushNotification> {
  const { realm, realmName, settings, actor } = user;
  const language = serverLanguageOf(actor.settings.default_language);
  const text = await pushText(language);
  // What is not encrypted from end to end says nothing there.
  const isHidden = settings.require_e2ee_push_notifications;
  const sender = isHidden ? realmName : message.sender_full_name;
  const content = isHidden ? text.hidden : excerpt(message.content, realm.url);
  const place = placeOf(message, isHidden, language);
  const fields = {
    ...accountFields(user),
    event: 'message',
    sender_id: message.sender_id,
    sender_email: isHidden ? '' : message.sender_email,
    sender_full_name: sender,
    sender_avatar_url: new URL(isHidden ? '/' : (message.avatar_url ?? '/'), realm.url).href,
    time: message.timestamp,
    ...place.fields,
  };
  return {
    alert: isHidden
      ? { title: realmName, body: content }
      : { ...titlesOf(message, sender, place.title, text), body: content },
    fields: {
      web: browserFields(user, message, excerpt(message.content, realm.url), text),
      apns: { zulip: { ...fields, message_ids: [message.id] } },
      fcm: {
        ...fields,
        zulip_message_id: message.id,
        content,
        content_truncated: content.endsWith('…'),
      },
    },
    collapseId: `${realm.id}-${message.id}`,
    topic: `${realm.id}-${message.id}`,
    validSeconds,
  };
}

/** Tells apps and browsers to show messages no more. */
export function removalNotification(
  user: model.notifications.NotifiedUser,
  messageIds: readonly number[],
): PushNotification {
  const fields = { ...accountFields(user), event: 'remove', zulip_message_ids: messageIds.join(',') };
  return {
    alert: null,
    fields: {
      web: { event: 'remove', message_ids: messageIds },
      apns: { zulip: fields },
      fcm: { ...fields, zulip_message_id: messageIds[0] ?? 0 },
    },
    // A browser that is off gets this instead of the message.
    ...(messageIds.length === 1 && { topic: `${user.realm.id}-${messageIds[0]}` }),
    validSeconds,
  };
}

function excerpt(rendered: string, baseUrl: string): string {
  const points = [...readMessage(rendered, { baseUrl, withLinks: false }).text];
  return points.length <= contentLengthMax
    ? points.join('')
    : `${points.slice(0, contentLengthMax).join('')}…`;
}

/** Where a message is, as apps are told, and as people read it. */
function placeOf(
  { display_recipient: recipient, stream_id, subject }: FetchedMessage,
  isHidden: boolean,
  language: LanguageTag,
) {
  if (typeof recipient === 'string') {
    const [stream, topic] = isHidden
      ? ['', '']
      : [recipient, subject === '' ? emptyTopicDisplayName : subject];
    return {
      title: `#${stream} > ${topic}`,
      fields: { recipient_type: 'stream', stream_id: stream_id ?? 0, stream, topic },
    };
  }
  const ids = recipient.map(({ id }) => id).sort((a, b) => a - b);
  return {
    title:
      recipient.length > 2
        ? joinNames(
            recipient.map(({ full_name }) => full_name),
            language,
          )
        : '',
    fields: { recipient_type: 'private', ...(ids.length > 2 && { pm_users: ids.join(',') }) },
  };
}

function titlesOf(
  { flags }: FetchedMessage,
  sender: string,
  place: string,
  text: Awaited<ReturnType<typeof pushText>>,
): { title: string; subtitle?: string } {
  if (place === '') return { title: sender };
  return { title: place, subtitle: flags.includes('mentioned') ? text.mentioned(sender) : text.from(sender) };
}
