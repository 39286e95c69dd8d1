import { type Message, type State, inTopic, placeOf } from '@parley/client';
import { useEffect } from 'preact/hooks';

import { toPeople, toTopic } from '../../base/router/narrow.ts';
import { client } from '../../data/live/follow.ts';
import { nameIn } from '../../data/people/names.ts';
import { nameText } from '../../strings/common.ts';
import { notificationText } from '../../strings/messages.ts';
import { permission } from './permission.ts';
import { plainText } from './plain-text.ts';
import { isNotified } from './rules.ts';
import { playTone } from './sound.ts';

/** Notifies of new messages while the page is in the background, as the settings say. */
export function useNotifications(): void {
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
  if (permission.peek() === 'granted' && isNotified(message, state, 'desktop'))
    showNotification(message, state);
  const { notification_sound } = state.own.user_settings;
  if (notification_sound !== 'none' && isNotified(message, state, 'audible')) playTone();
}

function showNotification(message: Message, state: State): void {
  const { id, sender_id, stream_id, subject, content } = message;
  const sender = nameIn(state, sender_id);
  const channel = stream_id === undefined ? undefined : state.subscriptions.get(stream_id);
  const others = (message.people ?? '')
    .split(',')
    .map(Number)
    .filter((one) => one !== state.own.user_id);
  const isHidden =
    stream_id === undefined && state.own.user_settings['pm_content_in_desktop_notifications'] === false;
  const avatar = state.users.get(sender_id)?.avatar_url;
  try {
    const shown = new Notification(
      channel ? `${sender} (#${channel.name} › ${subject || nameText.generalChat})` : sender,
      {
        body: isHidden ? notificationText.hiddenDirect : plainText(content),
        // One per conversation: a later message replaces it.
        tag: stream_id === undefined ? placeOf(message, state.own.user_id) : inTopic(stream_id, subject),
        ...(avatar && { icon: avatar }),
      },
    );
    shown.addEventListener('click', () => {
      globalThis.focus();
      location.hash =
        stream_id === undefined
          ? toPeople(others, id)
          : toTopic(stream_id, channel?.name ?? '', subject, { near: id });
      shown.close();
    });
  } catch {
    // Some phones notify by service workers only.
  }
}
