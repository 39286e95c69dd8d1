import { setFlag } from '@parley/client';
import { BellOff, Check, ChevronDown, ChevronRight, Star } from 'lucide-preact';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { ActButton } from '../../base/forms/act-button.tsx';
import { toChannel } from '../../base/router/narrow.ts';
import { slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import type { UnreadPlace, UnreadSection } from '../../data/unread/unread-places.ts';
import { inboxText, unreadText } from '../../strings/inbox.ts';
import { keyOfSection } from './rows.ts';

interface SectionProps {
  section: UnreadSection;
  isFolded: boolean;
  readonly onFold: () => void;
  readonly onSelect: (row: string) => void;
}

/** A channel, or the direct conversations, with what is unread there; the reader can fold it. */
export function Section({ section, isFolded, onFold, onSelect }: SectionProps) {
  const { channelId, name, places } = section;
  const key = keyOfSection(section);
  return (
    <section>
      <div class="inbox-head">
        <button
          type="button"
          class="icon-button"
          aria-label={inboxText.fold(name)}
          aria-expanded={!isFolded}
          data-row={key}
          onFocus={() => onSelect(key)}
          onClick={onFold}
        >
          {isFolded ? <ChevronRight class="mirrored" /> : <ChevronDown />}
        </button>
        <h2>
          {channelId === null ? (
            name
          ) : (
            <a href={toChannel(channelId, name)}>
              <ChannelSign color={slice('subscriptions').get(channelId)?.color} />
              {name}
            </a>
          )}
          {isFolded && <UnreadCount count={countIn(places)} isDirect={channelId === null} />}
        </h2>
        <ActButton class="icon-button" act={() => markRead(places)} label={inboxText.markRead(name)}>
          <Check />
        </ActButton>
      </div>
      {!isFolded && (
        <ul>
          {places.map((place) => (
            <Place key={place.place} place={place} isDirect={channelId === null} onSelect={onSelect} />
          ))}
        </ul>
      )}
    </section>
  );
}

const countIn = (places: readonly UnreadPlace[]) => places.reduce((sum, { count }) => sum + count, 0);

interface PlaceProps {
  place: UnreadPlace;
  isDirect: boolean;
  readonly onSelect: (row: string) => void;
}

const Place = ({ place, isDirect, onSelect }: PlaceProps) => (
  <li class={place.isMuted ? 'is-muted' : ''}>
    <a href={place.href} data-row={place.place} onFocus={() => onSelect(place.place)}>
      <span class="sidebar-name" dir="auto">
        {place.name}
      </span>
      {place.isMuted && <BellOff class="small-icon" aria-label={inboxText.muted} />}
      {place.isFollowed && <Star class="small-icon" aria-label={inboxText.followed} />}
      {place.isMentioned && (
        <span class="inbox-mention" title={inboxText.mentioned}>
          @<span class="visually-hidden"> {unreadText.mentioned}</span>
        </span>
      )}
      <UnreadCount count={place.count} isDirect={place.isMentioned || isDirect} />
    </a>
    <ActButton class="icon-button" act={() => markRead([place])} label={inboxText.markRead(place.name)}>
      <Check />
    </ActButton>
  </li>
);

export async function markRead(places: readonly UnreadPlace[]): Promise<void> {
  const ids = places.flatMap(({ messages }) => [...messages]);
  await setFlag(connection(), 'add', 'read', ids);
}
