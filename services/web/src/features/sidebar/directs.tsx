import { peopleOf as peopleAt, unreadAt } from '@parley/client';
import { useSignal } from '@preact/signals';

import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { MenuButton, openMenuOfRow } from '../../base/dialogs/menu-button.tsx';
import { useFragment } from '../../base/router/fragment.ts';
import { peopleOf, readNarrow, toPeople } from '../../base/router/narrow.ts';
import { own, slice, peek } from '../../data/live/state.ts';
import { namesOf } from '../../data/places/title.ts';
import { counts } from '../../data/unread/counts.ts';
import { directMenuText } from '../../strings/channels.ts';
import { sidebarText } from '../../strings/shell.ts';
import { viewText } from '../../strings/views.ts';
import { Avatar, GroupAvatar } from '../avatars/index.ts';
import { directItems } from './direct-menu.ts';
import { SidebarSection } from './section.tsx';

/** The most conversations that are shown at first: of those with nothing unread, and of all. */
const readMax = 8;
const shownMax = 15;

/** Direct conversations, the newest first. `filter`: what their people's names contain, in lower case. */
export function Directs({ filter }: { filter: string }) {
  const isWhole = useSignal(false);
  slice('unread');
  const narrow = readNarrow(useFragment());
  const shown = narrow && peopleOf(narrow);
  const { user_id } = peek().own;
  const muted = new Set(own('muted_users').map(({ id }) => id));
  const isMuted = (others: readonly number[]) => others.length === 1 && muted.has(others[0] ?? 0);
  const all = [...slice('conversations')]
    .sort(([, a], [, b]) => b - a)
    .map(([place]) => {
      const others = peopleAt(place) ?? [];
      return { place, others, name: namesOf(others), count: unreadAt(peek(), place) };
    })
    .filter(({ name }) => name.toLowerCase().includes(filter));
  const listed = isWhole.value
    ? all
    : all.filter(({ count }, index) => index < readMax || count > 0).slice(0, shownMax);
  if (all.length === 0) return null;
  const isSame = (others: readonly number[]) =>
    shown !== null &&
    shown
      .filter((id) => id !== user_id)
      .toSorted((a, b) => a - b)
      .join() === others.join();
  return (
    <SidebarSection
      name="directs"
      title={viewText.direct}
      count={counts.value.direct}
      isForced={filter !== ''}
    >
      <ul>
        {listed.map(({ place, others, name, count }) => (
          <li key={place} class={isMuted(others) ? 'is-muted' : count > 0 ? 'is-unread' : ''}>
            <div class="sidebar-row" onContextMenu={openMenuOfRow}>
              <a
                href={toPeople(others.length > 0 ? others : [user_id])}
                aria-current={isSame(others) ? 'page' : undefined}
              >
                {others.length > 1 ? (
                  <GroupAvatar count={others.length} />
                ) : (
                  <Avatar id={others[0] ?? user_id} size={20} hasPresence />
                )}
                <span class="sidebar-name" dir="auto">
                  {name}
                </span>
                <UnreadCount count={count} isDirect hasMention={counts.value.mentioned.has(place)} />
              </a>
              <span class="row-buttons">
                <MenuButton label={directMenuText.menu(name)} items={() => directItems(place, others)} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      {all.length > (isWhole.value ? readMax : listed.length) && (
        <button type="button" class="sidebar-more" onClick={() => (isWhole.value = !isWhole.value)}>
          {isWhole.value ? sidebarText.fewerConversations : sidebarText.moreConversations}
        </button>
      )}
    </SidebarSection>
  );
}
