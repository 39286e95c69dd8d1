import type { Place } from '@parley/client';

import type { Item } from '../../base/dialogs/menu.tsx';
import { toPeople } from '../../base/router/narrow.ts';
import { markPlaceRead, setMuted } from '../../data/actions/channel-verbs.ts';
import { attempt, copy } from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { directMenuText } from '../../strings/channels.ts';

const isMuted = (userId: number) => peek().own.muted_users.some(({ id }) => id === userId);

/** Returns the item that mutes somebody, or ends that. */
const muteItem = (userId: number): Item => ({
  name: isMuted(userId) ? directMenuText.unmute : directMenuText.mute,
  act: () => attempt(setMuted(userId, !isMuted(userId))),
});

/** Returns the items of a direct conversation's menu. `others`: without the reader. */
export function directItems(place: Place, others: readonly number[]): Item[] {
  const [one, another] = others;
  const { own, unread } = peek();
  const fragment = toPeople(others.length > 0 ? others : [own.user_id]);
  return [
    ...(unread.at.has(place)
      ? [{ name: directMenuText.markRead, act: () => attempt(markPlaceRead(place)) }]
      : []),
    { name: directMenuText.copyLink, act: () => copy(`${own.realm_url}/${fragment}`) },
    ...(one !== undefined && another === undefined
      ? [{ name: directMenuText.profile, act: () => showProfile(one) }, muteItem(one)]
      : []),
  ];
}
