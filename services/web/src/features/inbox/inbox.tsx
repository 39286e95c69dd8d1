import { setFlag, topicOf } from '@parley/client';
import { useSignal } from '@preact/signals';
import { Check, Star } from 'lucide-preact';
import { useRef } from 'preact/hooks';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { ActButton } from '../../base/forms/act-button.tsx';
import { useCommand } from '../../base/keys/commands.ts';
import { go } from '../../base/router/fragment.ts';
import { toChannel } from '../../base/router/narrow.ts';
import { Empty } from '../../base/states/empty.tsx';
import { showError } from '../../base/toasts/toasts.tsx';
import { toggleTopicMuted } from '../../data/actions/verbs.ts';
import { slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';

import './inbox.css';
import { type UnreadPlace, type UnreadSection, unreadSections } from '../../data/unread/unread-places.ts';
import { inboxText, unreadText } from '../../strings/inbox.ts';
import { viewText } from '../../strings/views.ts';

/** Everything unread that is not muted, by conversation. */
export function Inbox() {
  const sections = unreadSections({
    unread: slice('unread'),
    mentions: slice('mentions'),
    subscriptions: slice('subscriptions'),
    topics: slice('topics'),
    users: slice('users'),
    nonActiveUsers: slice('nonActiveUsers'),
  });
  const places = sections.flatMap((section) => section.places);
  const list = useRef<HTMLDivElement>(null);
  const selected = useSignal<string | null>(null);
  const at = places.findIndex(({ place }) => place === selected.value);

  /** The one after, or before, the one that is selected or was. */
  function move(by: number): boolean {
    const next = places[at === -1 ? 0 : Math.min(Math.max(at + by, 0), places.length - 1)];
    if (!next) return false;
    selected.value = next.place;
    list.current?.querySelector<HTMLElement>(`[data-place=${CSS.escape(next.place)}]`)?.focus();
    return true;
  }
  useCommand('down', () => move(1));
  useCommand('up', () => move(-1));
  useCommand('open', () => {
    const place = places[at];
    if (!place) return false;
    go(place.href);
    return true;
  });
  useCommand('muteTopic', () => {
    const topic = topicOf(places[at]?.place ?? '');
    if (!topic) return false;
    toggleTopicMuted(topic.channelId, topic.topic);
    return true;
  });
  useCommand('markRead', () => {
    const place = places[at];
    if (!place) return false;
    const next = places[at + 1] ?? places[at - 1];
    markRead([place]).catch(showError);
    if (next) {
      selected.value = next.place;
      list.current?.querySelector<HTMLElement>(`[data-place=${CSS.escape(next.place)}]`)?.focus();
    }
    return true;
  });

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
      {places.length === 0 && (
        <Empty drawing="tray" text={inboxText.empty}>
          <a class="button" href="#recent">
            {viewText.recent}
          </a>
        </Empty>
      )}
      {sections.map((section) => (
        <Section
          key={section.channelId ?? 'direct'}
          section={section}
          onSelect={(place) => (selected.value = place)}
        />
      ))}
    </div>
  );
}

interface SectionProps {
  section: UnreadSection;
  readonly onSelect: (place: string) => void;
}

const Section = ({ section: { channelId, name, places }, onSelect }: SectionProps) => (
  <section>
    <div class="inbox-head">
      <h2>
        {channelId === null ? (
          name
        ) : (
          <a href={toChannel(channelId, name)}>
            <ChannelSign color={slice('subscriptions').get(channelId)?.color} />
            {name}
          </a>
        )}
      </h2>
      <ActButton class="icon-button" act={() => markRead(places)} label={inboxText.markRead(name)}>
        <Check />
      </ActButton>
    </div>
    <ul>
      {places.map((place) => (
        <li key={place.place}>
          <a href={place.href} data-place={place.place} onFocus={() => onSelect(place.place)}>
            <span class="sidebar-name" dir="auto">
              {place.name}
            </span>
            {place.isFollowed && <Star class="small-icon" aria-label={inboxText.followed} />}
            {place.isMentioned && (
              <span class="inbox-mention" title={inboxText.mentioned}>
                @<span class="visually-hidden"> {unreadText.mentioned}</span>
              </span>
            )}
            <UnreadCount count={place.count} isDirect={place.isMentioned || channelId === null} />
          </a>
          <ActButton class="icon-button" act={() => markRead([place])} label={inboxText.markRead(place.name)}>
            <Check />
          </ActButton>
        </li>
      ))}
    </ul>
  </section>
);

/** How many messages one request marks. */
const portion = 1000;

async function markRead(places: readonly UnreadPlace[]): Promise<void> {
  const ids = places.flatMap(({ messages }) => [...messages]);
  for (let at = 0; at < ids.length; at += portion) {
    await setFlag(connection(), 'add', 'read', ids.slice(at, at + portion));
  }
}
