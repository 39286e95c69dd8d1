import type { Message } from '@parley/client';

/** The poll or the list of tasks that a message carries; nothing of other messages. */
export function Widget({ message: { submessages } }: { message: Message }) {
  if (submessages.length === 0) return null;
  return <p class="dim">A poll or a list of tasks.</p>;
}
