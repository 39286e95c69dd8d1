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

/** Sends typing notifications while somebody writes, as often as the server asks for. Returns what ends it. */
export function startTypingNotices(): () => void {
  let sent: { key: string; destination: Destination; at: number } | null = null;
  let before: Draft | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    if (sent) notify('stop', sent.destination);
    sent = null;
  }

  function update(now: Draft | null): void {
    const key = now && keyOf(now.target, peek().own.user_id);
    if (sent && sent.key !== key) stop();
    const isTyped = now !== null && before?.id === now.id && before.content !== now.content;
    before = now;
    if (!now || isBlank(now)) {
      stop();
      return;
    }
    const destination = destinationOf(now.target);
    if (!isTyped || !destination || key === null) return;
    if (!sent || Date.now() - sent.at > ms('started_wait_period')) {
      notify('start', destination);
      sent = { key, destination, at: Date.now() };
    }
    clearTimeout(timer);
    timer = setTimeout(stop, ms('stopped_wait_period'));
  }

  const end = effect(() => {
    const now = composition.value;
    untracked(() => update(now));
  });
  return () => {
    end();
    stop();
  };
}
