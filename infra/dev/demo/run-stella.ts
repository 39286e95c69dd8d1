import { type Connection, type FetchedMessage, type Following, follow } from '@parley/client';

import { describeMoon } from './moon.ts';

const help =
  'I am Stella, and I watch the sky. Ask me for the **moon**: I hear you in direct messages, and wherever you mention me.';

/** What the bot says to a text. */
const answerTo = (text: string): string => (/\bmoon\b/i.test(text) ? describeMoon(Date.now()) : help);

/** Whether a message is for the bot: somebody else mentions it, or writes to it directly. */
const isFor = ({ sender_id, type, flags }: FetchedMessage, botId: number): boolean =>
  sender_id !== botId && (type === 'private' || flags.includes('mentioned'));

async function answer(by: Connection, message: FetchedMessage): Promise<void> {
  const { display_recipient: recipient } = message;
  const to =
    typeof recipient === 'string'
      ? { type: 'channel', to: message.stream_id, topic: message.subject }
      : { type: 'direct', to: recipient.map(({ id }) => id) };
  await by.post('/messages', { ...to, content: answerTo(message.content) });
}

/**
 * Has the demo's bot answer whoever asks it, until it is stopped. A message that it cannot answer stays without an
 * answer.
 */
export const runStella = (by: Connection, botId: number): Following =>
  follow(by, {
    register: { apply_markdown: false },
    onChanges(_state, _changes, events) {
      for (const event of events) {
        if (event.type !== 'message') continue;
        // Safe: so an event of this type is.
        const { message, flags } = event as unknown as { message: FetchedMessage; flags: string[] };
        if (isFor({ ...message, flags }, botId)) void answer(by, message).catch(() => undefined);
      }
    },
  });
