import { type Place, type State, isPlaceFollowed, isPlaceMuted, peopleOf, topicOf } from '@parley/client';

import { toPeople, toTopic } from '../../base/router/narrow.ts';
import { nameText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';
import { viewText } from '../../strings/views.ts';

/** A topic or direct conversation with unread messages. */
export interface UnreadPlace {
  place: Place;
  name: string;
  /** The fragment of its messages. */
  href: string;
  count: number;
  isMentioned: boolean;
  isFollowed: boolean;
  isMuted: boolean;
  newest: number;
  messages: ReadonlySet<number>;
}

/** What is unread in one channel, or in direct conversations. */
export interface UnreadSection {
  /** The channel; null for direct conversations. */
  channelId: number | null;
  name: string;
  places: UnreadPlace[];
}

export type UnreadState = Pick<
  State,
  'unread' | 'mentions' | 'subscriptions' | 'topics' | 'users' | 'nonActiveUsers'
>;

/** Names a direct conversation by the others in it. */
export function nameOfPeople(
  { users, nonActiveUsers }: Pick<State, 'users' | 'nonActiveUsers'>,
  others: readonly number[],
): string {
  const names = others.map(
    (id) => users.get(id)?.full_name ?? nonActiveUsers.get(id)?.full_name ?? nameText.user(id),
  );
  return listNames(names.sort((a, b) => a.localeCompare(b))) || nameText.yourself;
}

/** Which topics are shown: all, those that are not muted, or those that are followed. */
export type UnreadFilter = 'all' | 'unmuted' | 'followed';

/**
 * Returns what is unread: direct conversations first, then channels, the pinned ones first. What is said to the reader is
 * shown in muted topics as well.
 *
 * @param text what the name of a conversation or its channel contains, in lower case
 */
export function unreadSections(
  state: UnreadState,
  filter: UnreadFilter = 'unmuted',
  text = '',
): UnreadSection[] {
  const isWanted = (...names: string[]) => names.some((name) => name.toLowerCase().includes(text));
  const direct: UnreadSection = { channelId: null, name: viewText.direct, places: [] };
  const channels = new Map<number, UnreadSection>();
  for (const [place, messages] of state.unread.at) {
    const others = peopleOf(place);
    if (others) {
      const name = nameOfPeople(state, others);
      if (isWanted(name)) direct.places.push(placeOf(state, place, messages, name, () => toPeople(others)));
      continue;
    }
    const at = topicOf(place);
    const subscription = at && state.subscriptions.get(at.channelId);
    if (!subscription || !isShown(state, place, messages, filter)) continue;
    const { stream_id: channelId, name } = subscription;
    const topic = state.unread.topicNames.get(place) ?? at.topic;
    if (!isWanted(topic || nameText.generalChat, name)) continue;
    const section = channels.get(channelId) ?? { channelId, name, places: [] };
    section.places.push(
      placeOf(state, place, messages, topic || nameText.generalChat, (newest) =>
        toTopic(channelId, name, topic, { with: newest }),
      ),
    );
    channels.set(channelId, section);
  }
  const isPinned = ({ channelId }: UnreadSection) =>
    state.subscriptions.get(channelId ?? 0)?.pin_to_top === true;
  const sections = [...channels.values()].sort(
    (a, b) => Number(isPinned(b)) - Number(isPinned(a)) || a.name.localeCompare(b.name),
  );
  for (const { places } of [direct, ...sections]) places.sort((a, b) => b.newest - a.newest);
  return direct.places.length > 0 ? [direct, ...sections] : sections;
}

function isShown(
  state: UnreadState,
  place: Place,
  messages: ReadonlySet<number>,
  filter: UnreadFilter,
): boolean {
  if (filter === 'followed') return isPlaceFollowed(state, place);
  // Whoever mutes a topic still wants to know of what is said to them.
  return (
    filter === 'all' || !isPlaceMuted(state, place) || [...messages].some((id) => state.mentions.has(id))
  );
}

function placeOf(
  state: UnreadState,
  place: Place,
  messages: ReadonlySet<number>,
  name: string,
  hrefOf: (newest: number) => string,
): UnreadPlace {
  let [newest, isMentioned] = [0, false];
  for (const id of messages) {
    newest = Math.max(newest, id);
    isMentioned ||= state.mentions.has(id);
  }
  const isFollowed = isPlaceFollowed(state, place);
  const isMuted = isPlaceMuted(state, place);
  const href = hrefOf(newest);
  return { place, name, href, count: messages.size, isMentioned, isFollowed, isMuted, newest, messages };
}
