import { type Message, isTransient, setFlag } from '@parley/client';

import { connection } from '../../data/session/session.ts';

/** The most messages of one request. */
const portionMax = 1000;
const gatherMs = 400;
const retryMs = 5000;

/** Messages that were seen: requests mark them as read, some at a time. */
class Reading {
  /** Those that no request has marked as read yet. */
  private readonly queued = new Set<number>();
  /** Those that a request has marked as read, and whose event has not come yet. */
  private readonly sent = new Set<number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  queue(messages: Iterable<Message>): void {
    for (const { id, flags } of messages) {
      if (flags.includes('read')) this.sent.delete(id);
      else if (!this.sent.has(id)) this.queued.add(id);
    }
    this.flushIn(gatherMs);
  }

  /** Marks as read what is queued, without waiting for more. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ids = [...this.queued].slice(0, portionMax);
    if (ids.length === 0) return;
    for (const id of ids) {
      this.queued.delete(id);
      this.sent.add(id);
    }
    try {
      await setFlag(connection(), 'add', 'read', ids);
      // The event may come after the answer.
      setTimeout(() => ids.forEach((id) => this.sent.delete(id)), retryMs);
    } catch (error) {
      for (const id of ids) {
        this.sent.delete(id);
        if (isTransient(error)) this.queued.add(id);
      }
    }
    this.flushIn(retryMs);
  }

  private flushIn(ms: number): void {
    if (this.queued.size > 0) this.timer ??= setTimeout(() => void this.flush(), ms);
  }
}

const reading = new Reading();

/** Queues messages that were seen, so that they are marked as read. */
export const queueAsRead = (messages: Iterable<Message>): void => reading.queue(messages);

// Whoever leaves the page has seen what was on it.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void reading.flush();
});
