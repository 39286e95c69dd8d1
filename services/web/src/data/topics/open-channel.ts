import { inTopic, topicKey } from '@parley/client';
import { signal } from '@preact/signals';

import { currentFragment, go } from '../../base/router/fragment.ts';
import { toChannel, toTopic, viewKeyOf } from '../../base/router/narrow.ts';
import { peek } from '../live/state.ts';
import { isSpectator } from '../session/session.ts';
import { channelViews, openedTopic } from './opened-topic.ts';
import { currentTopics } from './topics.ts';

/** The channel that was opened last. */
const latest = signal<number | null>(null);

/** Shows what the person has set that opening a channel shows; all of it where its topics cannot be found out. */
export async function openChannel(id: number): Promise<void> {
  const before = currentFragment();
  latest.value = id;
  const target = await targetOf(id);
  // Somebody who has gone elsewhere meanwhile stays there.
  if (latest.peek() === id && currentFragment() === before) go(target);
}

async function targetOf(id: number): Promise<string> {
  const { own, channels, topics: settings, unread } = peek();
  const name = channels.get(id)?.name ?? '';
  const whole = toChannel(id, name);
  const { whole: ofAll, newest } = channelViews;
  const view = isSpectator() ? ofAll : (own.user_settings.web_channel_default_view ?? newest);
  if (view === ofAll) return whole;
  const topic = openedTopic(await currentTopics(id).catch(() => []), view, {
    isMuted: (one) => settings.get(topicKey(id, one))?.visibility_policy === 1,
    isUnread: (one) => (unread.at.get(inTopic(id, one))?.size ?? 0) > 0,
  });
  if (!topic) return whole;
  const target = toTopic(id, name, topic.name, { with: topic.max_id });
  // Whoever is there already wants to see the rest.
  return viewKeyOf(target) === viewKeyOf(currentFragment()) ? whole : target;
}

/** Follows a link to a channel; one that is to be opened elsewhere is the browser's. */
export function followToChannel(event: MouseEvent, id: number): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void openChannel(id);
}
