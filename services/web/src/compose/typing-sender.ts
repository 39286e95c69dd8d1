import { type Destination, sendTyping } from '@parley/client';
import { effect, untracked } from '@preact/signals';

import { type Draft, isBlank } from '../drafts/draft.ts';
import { peek } from '../live/state.ts';
import { connection } from '../session/session.ts';
import { composition } from './composition.ts';
import { destinationOf, keyOf } from './target.ts';

const ms = (name: string) => Number(peek().own[`server_typing_${name}_milliseconds`]);
const isWanted = (destination: Destination) =>
  peek().own.user_settings[
    'channelId' in destination ? 'send_stream_typing_notifications' : 'send_private_typing_notifications'
  ] === true;

/** Such notices may be lost: nobody is told. */
const tell = (op: 'start' | 'stop', destination: Destination) => {
  if (isWanted(destination)) sendTyping(connection(), op, destination).catch(() => undefined);
};

/** Tells those who are written to that somebody writes, as often as the server wants to hear it. Returns what ends it. */
export function startTypingNotices(): () => void {
  let told: { key: string; destination: Destination; at: number } | null = null;
  let before: Draft | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    if (told) tell('stop', told.destination);
    told = null;
  }

  function look(now: Draft | null): void {
    const key = now && keyOf(now.target, peek().own.user_id);
    if (told && told.key !== key) stop();
    const isTyped = now !== null && before?.id === now.id && before.content !== now.content;
    before = now;
    if (!now || isBlank(now)) {
      stop();
      return;
    }
    const destination = destinationOf(now.target);
    if (!isTyped || !destination || key === null) return;
    if (!told || Date.now() - told.at > ms('started_wait_period')) {
      tell('start', destination);
      told = { key, destination, at: Date.now() };
    }
    clearTimeout(timer);
    timer = setTimeout(stop, ms('stopped_wait_period'));
  }

  const end = effect(() => {
    const now = composition.value;
    untracked(() => look(now));
  });
  return () => {
    end();
    stop();
  };
}
