import { type Place, isPlaceMuted, peopleOf, topicOf } from '@parley/client';
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';

import { useCommand } from '../../base/keys/commands.ts';
import { useWalk } from '../../base/keys/walk.ts';
import { go } from '../../base/router/fragment.ts';
import { toPeople, toTopic } from '../../base/router/narrow.ts';
import { Empty } from '../../base/states/empty.tsx';
import { Skeleton } from '../../base/states/skeleton.tsx';
import { toggleTopicMuted } from '../../data/actions/verbs.ts';
import { own, slice } from '../../data/live/state.ts';
import { nameOfPeople } from '../../data/unread/unread-places.ts';
import { commonText, nameText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';

import './recent.css';
import { recentText } from '../../strings/recent.ts';
import { viewText } from '../../strings/views.ts';
import { type Conversation, type Filters, type Row, conversationsOf, isShown } from './conversations.ts';
import { FilterBar } from './filter-bar.tsx';
import { RecentRow } from './recent-row.tsx';
import { useRecentMessages } from './use-messages.ts';

const noFilters: Filters = { kind: 'all', isUnread: false, isOwn: false, withMuted: false, text: '' };

/** Kept while the page is open, so that coming back shows the same. */
const filters = signal<Filters>(noFilters);

/** Conversations in the order in which they were written in last. */
export function Recent() {
  const { messages, error, isLoading, hasOldest, loadMore } = useRecentMessages();
  const rows = useRows(messages);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const walk = useWalk({
    keys: rows.map(({ place }) => place),
    list,
    find: (place) => scroller.current?.querySelector(`[data-place=${CSS.escape(place)}]`),
  });
  useCommand('open', () => {
    const row = rows[walk.index()];
    if (!row) return false;
    go(row.href);
    return true;
  });
  useCommand('muteTopic', () => {
    const topic = topicOf(rows[walk.index()]?.place ?? '');
    if (!topic) return false;
    toggleTopicMuted(topic.channelId, topic.topic);
    return true;
  });

  return (
    <div class="recent" ref={scroller}>
      <h1>{viewText.recent}</h1>
      <FilterBar
        filters={filters.value}
        onChange={(change) => (filters.value = { ...filters.value, ...change })}
      />
      {error !== null && <p class="refusal-text">{errorText(error)}</p>}
      {rows.length === 0 && isLoading && <Skeleton rows={8} kind="lines" />}
      {rows.length === 0 && !isLoading && (
        <Empty drawing="bubbles" text={recentText.empty}>
          <button type="button" onClick={() => (filters.value = noFilters)}>
            {recentText.clear}
          </button>
        </Empty>
      )}
      <Virtualizer ref={list} scrollRef={scroller} as="ul" item="li" itemSize={44} startMargin={96}>
        {rows.map((row) => (
          <RecentRow key={row.place} {...row} onSelect={() => walk.goTo(row.place)} />
        ))}
      </Virtualizer>
      {!hasOldest && (
        <p>
          <button type="button" disabled={isLoading} onClick={loadMore}>
            {isLoading ? commonText.loading : recentText.loadMore}
          </button>
        </p>
      )}
    </div>
  );
}

function useRows(messages: ReturnType<typeof useRecentMessages>['messages']): Row[] {
  const ownId = own('user_id');
  const [unread, conversations] = [slice('unread'), slice('conversations')];
  const mutes = { topics: slice('topics'), subscriptions: slice('subscriptions') };
  const people = { users: slice('users'), nonActiveUsers: slice('nonActiveUsers') };

  const named = conversationsOf(messages, conversations, ownId).map((conversation): Row => {
    const { place, channelId, topic } = conversation;
    const others = peopleOf(place);
    const channel = mutes.subscriptions.get(channelId ?? 0)?.name ?? '';
    return {
      ...conversation,
      unread: unread.at.get(place)?.size ?? 0,
      name: others ? nameOfPeople(people, others) : `#${channel} › ${topic || nameText.generalChat}`,
      href: others
        ? toPeople(others)
        : toTopic(channelId ?? 0, channel, topic, { with: conversation.newest }),
    };
  });
  const facts = {
    ownId,
    unreadAt: (place: Place) => unread.at.get(place)?.size ?? 0,
    isMuted: (place: Place) => isPlaceMuted(mutes, place),
    nameOf: (row: Conversation) => (row as Row).name,
  };
  // What is said in channels that one has left is not shown.
  return named.filter(
    (row) =>
      (row.channelId === null || mutes.subscriptions.has(row.channelId)) &&
      isShown(row, filters.value, facts),
  );
}
