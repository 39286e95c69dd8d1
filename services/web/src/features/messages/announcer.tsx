import type { Message } from '@parley/client';
import { signal } from '@preact/signals';

import { peek } from '../../data/live/state.ts';
import { nameIn } from '../../data/people/names.ts';
import { messageText } from '../../strings/messages.ts';

const text = signal('');
const lengthMax = 200;

/** Lets screen readers announce a new message. */
export function announce({ sender_id, content }: Message): void {
  const state = peek();
  const { own } = state;
  if (sender_id === own.user_id) return;
  const words = content.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  text.value = messageText.announced(nameIn(state, sender_id), words.slice(0, lengthMax));
}

/** Renders the region from which screen readers announce new messages. */
export const Announcer = () => (
  <div class="visually-hidden" aria-live="polite" aria-atomic="true">
    {text.value}
  </div>
);
