import { useComputed, useSignal } from '@preact/signals';
import { Info } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';

import { FilterText } from '../../base/forms/filter-fields.tsx';
import { useFragment } from '../../base/router/fragment.ts';
import { channelOf, peopleOf, readNarrow, toPeople } from '../../base/router/narrow.ts';
import { own, slice } from '../../data/live/state.ts';
import { matchPeople, orderPeople } from '../../data/people/order.ts';
import { participants } from '../../data/people/participants.ts';
import { presenceNow } from '../../data/people/presence.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { isSpectator } from '../../data/session/session.ts';
import { peopleText } from '../../strings/people.ts';
import { Avatar } from '../avatars/index.ts';
import { Groups } from './groups.tsx';

import './people.css';
import { type PeopleSection, sectionsOf } from './sections.ts';
import { StatusEmoji } from './status-emoji.tsx';

const rowPixels = 28;

/** Everyone of the organization: those of the conversation that is shown, those of its channel, and all others. */
export function People() {
  const query = useSignal('');
  const scroller = useRef<HTMLDivElement>(null);
  const sections = usePeopleSections(query.value);
  const hasTitles = sections.length > 1;
  return (
    <div class="people">
      <h2 class="visually-hidden">{peopleText.title}</h2>
      <FilterText
        label={peopleText.search}
        placeholder={`${peopleText.search}  w`}
        text={query.value}
        onText={(text) => (query.value = text)}
      />
      <div class="people-scroller" ref={scroller}>
        <Virtualizer as="ul" item="li" itemSize={rowPixels} scrollRef={scroller}>
          {sections.flatMap(({ title, people }) => [
            ...(hasTitles ? [<h3 key={title}>{title}</h3>] : []),
            ...people.map(({ user_id: id, full_name: name }) => <Person key={id} id={id} name={name} />),
          ])}
        </Virtualizer>
        <Groups query={query.value} />
      </div>
    </div>
  );
}

function usePeopleSections(query: string): PeopleSection[] {
  const narrow = readNarrow(useFragment());
  const channelId = narrow && channelOf(narrow);
  const among = narrow && peopleOf(narrow);
  const writers = useComputed(() => participants.value).value;
  const matching = matchPeople(
    [...slice('users').values()].filter(({ is_bot }) => !is_bot),
    query,
  );
  const people = isSpectator() ? matching : orderPeople(matching, own('user_id'), presenceNow);
  const members = channelId === null ? undefined : slice('subscriptions').get(channelId)?.subscribers;
  const isHere = narrow !== null && (channelId !== null || among !== null);
  const here = isHere ? new Set([...(among ?? []), ...writers]) : new Set<number>();
  return sectionsOf(people, here, members ?? new Set());
}

const Person = ({ id, name }: { id: number; name: string }) => (
  <div class="person-row">
    {isSpectator() ? (
      <span class="person">{name}</span>
    ) : (
      <a class="person" href={toPeople([id])}>
        <Avatar id={id} size={20} hasPresence />
        <span class="sidebar-name" dir="auto">
          {name}
          {id === own('user_id') && <span class="dim"> {peopleText.isYou}</span>}
        </span>
        <StatusEmoji userId={id} />
      </a>
    )}
    <button
      type="button"
      class="icon-button"
      aria-label={peopleText.profile(name)}
      onClick={({ currentTarget }) => showProfile(id, currentTarget)}
    >
      <Info />
    </button>
  </div>
);
