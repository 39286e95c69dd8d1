import { type Message, isTransient, setFlag } from '@parley/client';

import { connection } from '../../data/session/session.ts';

/** The most messages of one request. */
const portionMax = 1000;
const gatherMs = 400;
const retryMs = 5000;

/** Messages that were seen, and that no request has marked as read yet. */
const queued = new Set<number>();
/** Messages that a request has marked as read, and whose event has not come yet. */
const sent = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Queues messages that were seen: requests mark them as read, some at a time. */
export function queueAsRead(messages: Iterable<Message>): void {
  for (const { id, flags } of messages) {
    if (flags.includes('read')) sent.delete(id);
    else if (!sent.has(id)) queued.add(id);
  }
  if (queued.size > 0) timer ??= setTimeout(() => void flush(), gatherMs);
}

/** Marks as read what is queued, without waiting for more. */
async function flush(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const ids = [...queued].slice(0, portionMax);
  if (ids.length === 0) return;
  for (const id of ids) {
    queued.delete(id);
    sent.add(id);
  }
  try {
    await setFlag(connection(), 'add', 'read', ids);
    // The event may come after the answer.
    setTimeout(() => ids.forEach((id) => sent.delete(id)), retryMs);
  } catch (error) {
    for (const id of ids) {
      sent.delete(id);
      if (isTransient(error)) queued.add(id);
    }
  }
  if (queued.size > 0) timer ??= setTimeout(() => void flush(), retryMs);
}

// Whoever leaves the page has seen what was on it.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void flush();
});
