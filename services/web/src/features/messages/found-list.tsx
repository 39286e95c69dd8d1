import type { MessageList } from '@parley/client';
import { type Signal, useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { FilterChoice } from '../../base/forms/filter-fields.tsx';
import type { Narrow } from '../../base/router/narrow.ts';
import { peek } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { conversationOf } from '../../data/places/links.ts';
import { textOf } from '../../data/places/text-of.ts';
import { momentOf } from '../../data/places/times.ts';
import { isSaved, toggleSaved } from '../../data/searches/saved-searches.ts';
import { isSpectator } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { messageText } from '../../strings/messages.ts';
import { resultsText } from '../../strings/search.ts';
import { Html } from '../content/index.ts';
import { ConversationHeader } from './conversation-header.tsx';
import { type FoundGroup, type FoundMessage, type Order, groupFound } from './found-groups.ts';
import { foundOrder, isFoundGrouped, wholeGroups } from './found-view.ts';
import { Hidden, isHidden } from './hidden.tsx';
import { Corrected, ListState } from './list-state.tsx';
import { keepPlace, placeAt } from './reading-places.ts';
import { useList } from './use-list.ts';

import './found-list.css';

/** So many results of a conversation are shown before somebody wants all. */
const shownMax = 3;

/** Shows the results of a search by conversation. Each leads into the conversation, and going back leads here. */
export function FoundList({ narrow, entry: shown }: { narrow: Narrow; entry: string }) {
  // The list of messages has a place of its own.
  const entry = `${shown}-grouped`;
  const { list, version } = useList(narrow, () => undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const load = () => void list.load('newest');
  useEffect(() => {
    if (list.ids.length === 0) load();
  }, [list]);
  const groups = useComputed(() => {
    void version.value;
    return groupFound(list, foundOrder.value, peek().own.user_id);
  }).value;
  useLayoutEffect(() => {
    const place = placeAt(entry);
    if (place && scroller.current && groups.length > 0) scroller.current.scrollTop = -place.top;
  }, [entry, groups.length > 0]);
  return (
    <div class="message-list">
      <Corrected list={list} />
      <div
        ref={scroller}
        class="found-list"
        role="region"
        aria-label={resultsText.region}
        // What scrolls is reached by keys too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget }) => keepPlace(entry, { id: 0, top: -currentTarget.scrollTop })}
      >
        {groups.map((group) => (
          <Group key={group.key} group={group} entry={entry} />
        ))}
        <ListState list={list} narrow={narrow} onRetry={load} />
        {list.ids.length > 0 && <More list={list} />}
      </div>
    </div>
  );
}

interface FoundBarProps {
  narrow: Narrow;
  isGrouped?: Signal<boolean>;
  order?: Signal<Order>;
}

/** Lets somebody choose whether results are shown by conversation, and in which order, and keep the search. */
export const FoundBar = ({ narrow, isGrouped = isFoundGrouped, order = foundOrder }: FoundBarProps) => (
  <div class="found-bar">
    <label>
      <input
        type="checkbox"
        checked={isGrouped.value}
        onChange={({ currentTarget }) => (isGrouped.value = currentTarget.checked)}
      />
      {resultsText.grouped}
    </label>
    {isGrouped.value && (
      <FilterChoice
        label={resultsText.order}
        choices={{ newest: resultsText.newest, relevance: resultsText.relevance }}
        chosen={order.value}
        onChoose={(chosen) => (order.value = chosen)}
      />
    )}
    {!isSpectator() && (
      <button type="button" onClick={() => toggleSaved(narrow, narrow.terms.map(textOf).join(' '))}>
        {isSaved(narrow) ? resultsText.forget : resultsText.save}
      </button>
    )}
  </div>
);

function Group({ group: { key, found }, entry }: { group: FoundGroup; entry: string }) {
  const name = `${entry} ${key}`;
  const [first] = found;
  if (!first) return null;
  // Whoever goes to a result and comes back finds as many as they had.
  const shown = wholeGroups.value.has(name) ? found : found.slice(0, shownMax);
  return (
    <section class="found-group">
      <ConversationHeader message={first.message} match={first.match} />
      <ul>
        {shown.map((one) => (
          <Found key={one.message.id} found={one} />
        ))}
      </ul>
      {shown.length < found.length && (
        <button type="button" onClick={() => (wholeGroups.value = new Set([...wholeGroups.peek(), name]))}>
          {resultsText.showAll(found.length)}
        </button>
      )}
    </section>
  );
}

/** The link is around the names alone: the text may have links of its own. */
function Found({ found: { message, match } }: { found: FoundMessage }) {
  const { id, sender_id: sender, timestamp, content } = message;
  return (
    <li class="found">
      <a href={conversationOf(message, id)}>
        <strong dir="auto">{isHidden(id, sender) ? messageText.mutedPerson : nameOfUser(sender)}</strong>{' '}
        <span class="dim">{momentOf(timestamp)}</span>
      </a>
      {isHidden(id, sender) ? (
        <Hidden id={id} />
      ) : (
        <Html class="found-text rendered" html={match?.content ?? content} />
      )}
    </li>
  );
}

/** Says how much the order is about, and loads more of it. */
function More({ list }: { list: MessageList }) {
  return (
    <p class="found-more dim">
      {list.hasOldest ? resultsText.all(list.ids.length) : resultsText.loaded(list.ids.length)}
      {!list.hasOldest && (
        <button type="button" disabled={list.loading !== null} onClick={() => void list.loadOlder()}>
          {list.loading === null ? resultsText.more : commonText.loading}
        </button>
      )}
    </p>
  );
}
