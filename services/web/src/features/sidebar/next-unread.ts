import { type Place, type State, isPlaceMuted, peopleOf, topicOf } from '@parley/client';

import { toPeople, toTopic } from '../../base/router/narrow.ts';

/** The one after another, and after the last the first; undefined where there is no other. */
function after(places: readonly Place[], current: Place | null): Place | undefined {
  const others = places.filter((place) => place !== current);
  const at = current === null ? -1 : places.indexOf(current);
  if (at === -1) return others[0];
  return others[at] ?? others[0];
}

/**
 * The fragment of the next topic with something unread that the reader does not mute; null where there is none.
 *
 * @param channels in the order in which the reader sees them
 * @param current where the reader is
 * @param isWanted which of the topics
 */
export function nextUnreadTopic(
  state: State,
  channels: readonly number[],
  current: Place | null,
  isWanted: (place: Place) => boolean = () => true,
): string | null {
  const order = new Map(channels.map((id, index) => [id, index]));
  const orderOf = (place: Place) => order.get(topicOf(place)?.channelId ?? 0) ?? channels.length;
  const newestOf = (place: Place) => Math.max(...(state.unread.at.get(place) ?? []));
  const places = [...state.unread.at.keys()]
    .filter((place) => topicOf(place) !== null && !isPlaceMuted(state, place) && isWanted(place))
    .sort((a, b) => orderOf(a) - orderOf(b) || newestOf(b) - newestOf(a));
  const next = after(places, current);
  const topic = next === undefined ? null : topicOf(next);
  if (next === undefined || !topic) return null;
  const name = state.unread.topicNames.get(next) ?? topic.topic;
  return toTopic(topic.channelId, state.channels.get(topic.channelId)?.name ?? '', name, {
    with: newestOf(next),
  });
}

/** The fragment of the next direct conversation with something unread, the newest first; null where there is none. */
export function nextUnreadDirect(state: State, current: Place | null): string | null {
  const newestOf = (place: Place) => Math.max(...(state.unread.at.get(place) ?? []));
  const places = [...state.unread.at.keys()]
    .filter((place) => topicOf(place) === null)
    .sort((a, b) => newestOf(b) - newestOf(a));
  const others = peopleOf(after(places, current) ?? '');
  return others && toPeople(others.length > 0 ? others : [state.own.user_id]);
}
