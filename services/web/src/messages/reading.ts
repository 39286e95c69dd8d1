import { type Message, isTransient, setFlag } from '@parley/client';

import { connection } from '../session/session.ts';

/** The most messages of one request. */
const portionMax = 1000;
const gatherMs = 400;
const retryMs = 5000;

/** Messages that were seen and are not told to the server yet. */
const seen = new Set<number>();
/** Those that were told: their event is on its way. */
const told = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Notes that messages were seen; they are marked as read, some at a time. */
export function noteSeen(messages: Iterable<Message>): void {
  for (const { id, flags } of messages) {
    if (flags.includes('read')) told.delete(id);
    else if (!told.has(id)) seen.add(id);
  }
  if (seen.size > 0) timer ??= setTimeout(() => void tellSeen(), gatherMs);
}

/** Tells the server at once what was seen. */
async function tellSeen(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const ids = [...seen].slice(0, portionMax);
  if (ids.length === 0) return;
  for (const id of ids) {
    seen.delete(id);
    told.add(id);
  }
  try {
    await setFlag(connection(), 'add', 'read', ids);
    // The event may come after the answer.
    setTimeout(() => ids.forEach((id) => told.delete(id)), retryMs);
  } catch (error) {
    for (const id of ids) {
      told.delete(id);
      if (isTransient(error)) seen.add(id);
    }
  }
  if (seen.size > 0) timer ??= setTimeout(() => void tellSeen(), retryMs);
}

// Whoever leaves the page has seen what was on it.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void tellSeen();
});
