import type * as model from '@parley/model';
import { type FetchedMessage, userSettings } from '@parley/protocol';
import { webBytesMax } from '@parley/push';
import type { pushText } from '@parley/strings';

/** The most people of a direct conversation that a browser is told. It needs them for the address of the conversation. */
const peopleMax = 100;

/** What a browser is told of a message. Its service worker makes a notification of it, in the words of the client. */
export interface BrowserFields extends Record<string, unknown> {
  event: 'message';
  id: number;
  user_id: number;
  sender: string;
  avatar_url: string | null;
  timestamp: number;
  stream_id?: number;
  channel?: string;
  topic?: string;
  /** Of a direct message: who else is in the conversation. */
  others?: number[];
  /** Its beginning, unless its reader wants it not to be shown. */
  content?: string;
  /** What is shown instead of a text that its reader wants not to be shown, in their language. */
  placeholder?: string;
}

/**
 * Returns what a browser is told of a message, with the beginning of its text. It is encrypted for the browser alone, so that
 * nobody on the way reads it; whoever looks at the screen does, and the text of direct messages is there only if the reader
 * wants that.
 */
export function browserFields(
  { actor, row }: model.notifications.NotifiedUser,
  message: FetchedMessage,
  content: string,
  { hiddenDirect }: Awaited<ReturnType<typeof pushText>>,
): BrowserFields {
  const { display_recipient: recipient, stream_id, subject } = message;
  const fields: BrowserFields = {
    event: 'message',
    id: message.id,
    user_id: actor.id,
    sender: message.sender_full_name,
    avatar_url: message.avatar_url ?? null,
    timestamp: message.timestamp,
  };
  if (typeof recipient === 'string') {
    return fitted({ ...fields, stream_id: stream_id ?? 0, channel: recipient, topic: subject }, content);
  }
  const others = recipient.map(({ id }) => id).filter((id) => id !== actor.id);
  const { pm_content_in_desktop_notifications: setting } = userSettings;
  const isShown = row.settings.pm_content_in_desktop_notifications ?? setting.default;
  const direct = { ...fields, ...(others.length <= peopleMax && { others }) };
  return isShown ? fitted(direct, content) : { ...direct, placeholder: hiddenDirect };
}

/** Cuts the text to what push services take. */
function fitted(fields: BrowserFields, content: string): BrowserFields {
  const points = [...content];
  for (let length = points.length; length > 0; length = Math.floor(length / 2)) {
    const cut = length < points.length ? `${points.slice(0, length).join('')}…` : content;
    const whole = { ...fields, content: cut };
    if (Buffer.byteLength(JSON.stringify(whole)) <= webBytesMax) return whole;
  }
  return fields;
}
