import type { MessageList } from '@parley/client';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { FilterChoice } from '../../base/forms/filter-fields.tsx';
import type { Narrow } from '../../base/router/narrow.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { conversationOf } from '../../data/places/links.ts';
import { textOf } from '../../data/places/text-of.ts';
import { momentOf } from '../../data/places/times.ts';
import { isSaved, toggleSaved } from '../../data/searches/saved-searches.ts';
import { isSpectator } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { resultsText } from '../../strings/search.ts';
import { Html } from '../content/index.ts';
import { ConversationHeader } from './conversation-header.tsx';
import { type FoundGroup, type FoundMessage, groupFound } from './found-groups.ts';
import { foundOrder, isFoundGrouped } from './found-view.ts';
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
    return groupFound(list, foundOrder.value);
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
          <Group key={group.key} group={group} />
        ))}
        <ListState list={list} narrow={narrow} onRetry={load} />
        {list.ids.length > 0 && <More list={list} />}
      </div>
    </div>
  );
}

/** Lets somebody choose whether results are shown by conversation, and in which order, and keep the search. */
export const FoundBar = ({ narrow }: { narrow: Narrow }) => (
  <div class="found-bar" role="group" aria-label={resultsText.order}>
    <label>
      <input
        type="checkbox"
        checked={isFoundGrouped.value}
        onChange={({ currentTarget }) => (isFoundGrouped.value = currentTarget.checked)}
      />{' '}
      {resultsText.grouped}
    </label>
    {isFoundGrouped.value && (
      <FilterChoice
        label={resultsText.order}
        choices={{ newest: resultsText.newest, relevance: resultsText.relevance }}
        chosen={foundOrder.value}
        onChoose={(order) => (foundOrder.value = order)}
      />
    )}
    {!isSpectator() && (
      <button type="button" onClick={() => toggleSaved(narrow, narrow.terms.map(textOf).join(' '))}>
        {isSaved(narrow) ? resultsText.forget : resultsText.save}
      </button>
    )}
  </div>
);

function Group({ group: { found } }: { group: FoundGroup }) {
  const isWhole = useSignal(false);
  const [first] = found;
  if (!first) return null;
  const shown = isWhole.value ? found : found.slice(0, shownMax);
  return (
    <section class="found-group">
      <ConversationHeader message={first.message} match={first.match} />
      <ul>
        {shown.map((one) => (
          <Found key={one.message.id} found={one} />
        ))}
      </ul>
      {shown.length < found.length && (
        <button type="button" onClick={() => (isWhole.value = true)}>
          {resultsText.showAll(found.length)}
        </button>
      )}
    </section>
  );
}

/** The link is around the names alone: the text may have links of its own. */
const Found = ({ found: { message, match } }: { found: FoundMessage }) => (
  <li class="found">
    <a href={conversationOf(message, message.id)}>
      <strong dir="auto">{nameOfUser(message.sender_id)}</strong>{' '}
      <span class="dim">{momentOf(message.timestamp)}</span>
    </a>
    <Html class="found-text" html={match?.content ?? message.content} />
  </li>
);

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
