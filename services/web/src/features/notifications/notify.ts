import type { Message, State } from '@parley/client';
import { useEffect } from 'preact/hooks';

import { client } from '../../data/live/follow.ts';
import { nameIn } from '../../data/people/names.ts';
import { nameText } from '../../strings/common.ts';
import { useClosedWhenRead } from './close-read.ts';
import { type NotifiedMessage, dataOf, describe } from './describe.ts';
import { isQuiet } from './device.ts';
import { permission } from './permission.ts';
import { plainText } from './plain-text.ts';
import { workerRegistration } from './push-service.ts';
import { isNotified } from './rules.ts';
import { playTone } from './sound.ts';

/** Notifies of new messages while the page is in the background, as the settings say. */
export function useNotifications(): void {
  useClosedWhenRead();
  useEffect(() => {
    const following = client();
    if (!following) return undefined;
    let newest = following.state?.maxMessageId ?? 0;
    return following.subscribe(({ state, changes, isNew }) => {
      const came = isNew ? [] : [...changes.messages].filter((id) => id > newest);
      newest = Math.max(newest, state.maxMessageId ?? 0, ...came);
      if (document.visibilityState === 'visible' && document.hasFocus()) return;
      for (const id of came) {
        const message = state.messages.get(id);
        if (message) notify(message, state);
      }
    });
  }, []);
}

function notify(message: Message, state: State): void {
  if (isQuiet()) return;
  if (permission.peek() === 'granted' && isNotified(message, state, 'desktop'))
    void showNotification(message, state).catch(() => undefined);
  const { notification_sound } = state.own.user_settings;
  if (notification_sound !== 'none' && isNotified(message, state, 'audible')) playTone();
}

/** Shows it by the service worker, which knows what was pushed as well; by the page itself where there is none. */
async function showNotification(message: Message, state: State): Promise<void> {
  const { title, options } = describe(notified(message, state));
  const registration = await workerRegistration();
  if (registration) {
    const [shown] = await registration.getNotifications({ tag: options.tag });
    // It was pushed, and that was faster.
    if (shown && (dataOf(shown)?.id ?? 0) >= message.id) return;
    await registration.showNotification(title, options);
    return;
  }
  const shown = new Notification(title, options);
  shown.addEventListener('click', () => {
    globalThis.focus();
    location.hash = options.data.fragment;
    shown.close();
  });
}

function notified(message: Message, state: State): NotifiedMessage {
  const { id, sender_id, stream_id, subject, content, people = '' } = message;
  const { own } = state;
  const channel = stream_id === undefined ? undefined : state.subscriptions.get(stream_id);
  const isHidden =
    stream_id === undefined && own.user_settings['pm_content_in_desktop_notifications'] === false;
  return {
    id,
    sender: nameIn(state, sender_id),
    avatarUrl: state.users.get(sender_id)?.avatar_url ?? null,
    topic:
      stream_id === undefined
        ? null
        : { channelId: stream_id, channel: channel?.name ?? nameText.channel(stream_id), topic: subject },
    others: people
      .split(',')
      .filter(Boolean)
      .map(Number)
      .filter((one) => one !== own.user_id),
    text: isHidden ? undefined : plainText(content),
  };
}
