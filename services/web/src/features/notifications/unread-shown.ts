import { type State, isPlaceFollowed, isPlaceMuted, peopleOf } from '@parley/client';

/** The values of the setting `desktop_icon_count_display`. */
const displays = { all: 1, followed: 2, direct: 3, none: 4 } as const;

/** Counts unread messages as the setting for the page's title says. */
export function unreadShown(
  state: Pick<State, 'unread' | 'mentions' | 'topics' | 'subscriptions'>,
  display: number,
): number {
  if (display === displays.none) return 0;
  let count = 0;
  for (const [place, ids] of state.unread.at) {
    if (peopleOf(place) || (display === displays.all && !isPlaceMuted(state, place))) {
      count += ids.size;
      continue;
    }
    if (isPlaceFollowed(state, place) && display === displays.followed) count += ids.size;
    else for (const id of ids) if (state.mentions.has(id)) count += 1;
  }
  return count;
}
