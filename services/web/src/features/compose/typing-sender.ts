import { type Destination, sendTyping } from '@parley/client';
import { effect, untracked } from '@preact/signals';

import { peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { composition } from '../../data/writing/composition.ts';
import { type Draft, isBlank } from '../../data/writing/draft.ts';
import { destinationOf, keyOf } from '../../data/writing/target.ts';

const ms = (name: string) => Number(peek().own[`server_typing_${name}_milliseconds`]);
const isWanted = (destination: Destination) =>
  peek().own.user_settings[
    'channelId' in destination ? 'send_stream_typing_notifications' : 'send_private_typing_notifications'
  ] === true;

/** Sends a notice. It may be lost, so failures are ignored. */
const notify = (op: 'start' | 'stop', destination: Destination) => {
  if (isWanted(destination)) sendTyping(connection(), op, destination).catch(() => undefined);
};

/** Who is told that somebody writes, and since when. */
class TypingNotices {
  private sent: { key: string; destination: Destination; at: number } | null = null;
  private before: Draft | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  stop(): void {
    clearTimeout(this.timer);
    if (this.sent) notify('stop', this.sent.destination);
    this.sent = null;
  }

  update(now: Draft | null): void {
    const key = now && keyOf(now.target, peek().own.user_id);
    if (this.sent && this.sent.key !== key) this.stop();
    const isTyped = now !== null && this.before?.id === now.id && this.before.content !== now.content;
    this.before = now;
    if (!now || isBlank(now)) {
      this.stop();
      return;
    }
    const destination = destinationOf(now.target);
    if (!isTyped || !destination || key === null) return;
    if (!this.sent || Date.now() - this.sent.at > ms('started_wait_period')) {
      notify('start', destination);
      this.sent = { key, destination, at: Date.now() };
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stop(), ms('stopped_wait_period'));
  }
}

/** Sends typing notifications while somebody writes, as often as the server asks for. Returns what ends it. */
export function startTypingNotices(): () => void {
  const notices = new TypingNotices();
  const end = effect(() => {
    const now = composition.value;
    untracked(() => notices.update(now));
  });
  return () => {
    end();
    notices.stop();
  };
}
