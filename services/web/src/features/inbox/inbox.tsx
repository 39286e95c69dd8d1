import { topicOf } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { ActButton } from '../../base/forms/act-button.tsx';
import { FilterChoice, FilterText } from '../../base/forms/filter-fields.tsx';
import { keptNames, toggleName } from '../../base/functions/kept-set.ts';
import { kept } from '../../base/functions/kept.ts';
import { useCommand } from '../../base/keys/commands.ts';
import { go } from '../../base/router/fragment.ts';
import { Empty } from '../../base/states/empty.tsx';
import { showError } from '../../base/toasts/toasts.tsx';
import { toggleTopicMuted } from '../../data/actions/verbs.ts';
import { slice } from '../../data/live/state.ts';
import { type UnreadFilter, unreadSections } from '../../data/unread/unread-places.ts';
import { commonText } from '../../strings/common.ts';
import { inboxText } from '../../strings/inbox.ts';
import { viewText } from '../../strings/views.ts';

import './inbox.css';
import { type InboxRow, keyOfSection, rowsOf, stepFrom } from './rows.ts';
import { Section, markRead } from './section.tsx';

const isFilter = (stored: unknown): stored is UnreadFilter =>
  typeof stored === 'string' && Object.hasOwn(inboxText.shown, stored);

/** Which topics this browser shows, and which sections are folded in it. */
const filter = kept<UnreadFilter>('parley-inbox-filter', 'unmuted', isFilter);
const folded = keptNames('parley-inbox-folded');

/** What is unread, by conversation. */
export function Inbox() {
  const text = useSignal('');
  const list = useRef<HTMLDivElement>(null);
  const selected = useSignal<string | null>(null);
  const wanted = text.value.trim().toLowerCase();
  const sections = unreadSections(
    {
      unread: slice('unread'),
      mentions: slice('mentions'),
      subscriptions: slice('subscriptions'),
      topics: slice('topics'),
      users: slice('users'),
      nonActiveUsers: slice('nonActiveUsers'),
    },
    filter.value,
    wanted,
  );
  // Whoever searches sees what they have found.
  const isFolded = (key: string) => wanted === '' && folded.value.includes(key);
  const rows = rowsOf(sections, isFolded);
  useInboxKeys(rows, {
    at: () => selected.value,
    select(row) {
      selected.value = row.key;
      list.current?.querySelector<HTMLElement>(`[data-row=${CSS.escape(row.key)}]`)?.focus();
    },
  });
  const places = sections.flatMap((section) => section.places);
  return (
    <div class="inbox" ref={list}>
      <header class="inbox-head">
        <h1>{viewText.inbox}</h1>
        {places.length > 0 && (
          <ActButton act={() => markRead(places)} confirm={inboxText.confirmMarkAll}>
            {inboxText.markAll}
          </ActButton>
        )}
      </header>
      <Filters text={text.value} onText={(next) => (text.value = next)} />
      {places.length === 0 && (
        <Empty drawing="tray" text={wanted === '' ? inboxText.none[filter.value] : inboxText.noMatch}>
          <a class="button" href="#recent">
            {viewText.recent}
          </a>
        </Empty>
      )}
      {sections.map((section) => (
        <Section
          key={keyOfSection(section)}
          section={section}
          isFolded={isFolded(keyOfSection(section))}
          onFold={() => toggleName(folded, keyOfSection(section))}
          onSelect={(row) => (selected.value = row)}
        />
      ))}
    </div>
  );
}

const Filters = ({ text, onText }: { text: string; onText: (text: string) => void }) => (
  <div class="inbox-filters" role="group" aria-label={inboxText.filters}>
    <FilterChoice
      label={inboxText.which}
      choices={inboxText.shown}
      chosen={filter.value}
      onChoose={(next) => (filter.value = next)}
    />
    <FilterText label={inboxText.search} placeholder={commonText.search} text={text} onText={onText} />
  </div>
);

interface Selection {
  readonly at: () => string | null;
  readonly select: (row: InboxRow) => void;
}

/** Handles the keys that walk through the inbox, and what is done with the line where one is. */
function useInboxKeys(rows: readonly InboxRow[], { at, select }: Selection): void {
  const current = () => rows.find(({ key }) => key === at());
  const move = (by: number) => {
    const next = stepFrom(rows, at(), by);
    if (next) select(next);
    return next !== undefined;
  };
  useCommand('down', () => move(1));
  useCommand('up', () => move(-1));
  useCommand('open', () => {
    const href = current()?.href;
    if (href === undefined || href === null) return false;
    go(href);
    return true;
  });
  useCommand('muteTopic', () => {
    const topic = topicOf(current()?.key ?? '');
    if (!topic) return false;
    toggleTopicMuted(topic.channelId, topic.topic);
    return true;
  });
  useCommand('markRead', () => {
    const row = current();
    if (!row) return false;
    const rest = rows.filter((one) => !one.places.every((place) => row.places.includes(place)));
    const next = rest[Math.min(rows.indexOf(row), rest.length - 1)];
    markRead(row.places).catch(showError);
    if (next) select(next);
    return true;
  });
}
