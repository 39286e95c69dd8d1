import { toPeople, toTopic } from '../../base/router/narrow.ts';
import { nameText } from '../../strings/common.ts';
import { notificationText } from '../../strings/messages.ts';

/** A message as somebody is notified of it: what its page knows, and what the server pushes to a browser. */
export interface NotifiedMessage {
  id: number;
  sender: string;
  avatarUrl: string | null;
  /** Where it is; null for a direct message. */
  topic: { channelId: number; channel: string; topic: string } | null;
  /** Of a direct message: who else is in the conversation. Undefined of one with very many people. */
  others?: readonly number[] | undefined;
  /** Its words; undefined if the reader wants them not to be shown. */
  text?: string | undefined;
}

/** What a notification carries, for whoever clicks it and for whoever removes it. */
export interface NotificationData {
  id: number;
  /** The fragment of the page at which the message is. */
  fragment: string;
}

interface Described {
  title: string;
  options: NotificationOptions & { data: NotificationData; tag: string };
}

/**
 * Returns the notification of a message. There is one for each conversation, in which a later message replaces an earlier
 * one, whether a page or the service worker shows it.
 */
export function describe({ id, sender, avatarUrl, topic, others, text }: NotifiedMessage): Described {
  const options = {
    body: text ?? notificationText.hiddenDirect,
    ...(avatarUrl !== null && { icon: avatarUrl }),
  };
  if (topic) {
    const { channelId, channel, topic: name } = topic;
    return {
      title: `${sender} (#${channel} › ${name || nameText.generalChat})`,
      options: {
        ...options,
        tag: toTopic(channelId, '', name.toLowerCase()),
        data: { id, fragment: toTopic(channelId, channel, name, { near: id }) },
      },
    };
  }
  return {
    title: sender,
    options: {
      ...options,
      tag: others ? toPeople([...others].sort((a, b) => a - b)) : `message ${id}`,
      data: { id, fragment: others ? toPeople(others, id) : '#inbox' },
    },
  };
}

/** What a notification of ours carries; null of any other. */
export function dataOf({ data }: { data: unknown }): NotificationData | null {
  const isOurs = typeof data === 'object' && data !== null && 'id' in data && 'fragment' in data;
  // Safe: nobody else makes notifications that have both.
  return isOurs ? (data as NotificationData) : null;
}
