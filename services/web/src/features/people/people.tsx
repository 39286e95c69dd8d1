import { useSignal } from '@preact/signals';
import { Info } from 'lucide-preact';
import { useRef } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import { toPeople } from '../../base/router/narrow.ts';
import { own, slice } from '../../data/live/state.ts';
import { matchPeople, orderPeople } from '../../data/people/order.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { isSpectator } from '../../data/session/session.ts';

import './people.css';
import { commonText } from '../../strings/common.ts';
import { peopleText } from '../../strings/people.ts';
import { Groups } from './groups.tsx';
import { PresenceDot } from './presence-dot.tsx';
import { presenceNow } from './presence.ts';
import { StatusEmoji } from './status-emoji.tsx';

/** The most users that are listed. The others are found by a search. */
const shownMax = 200;

/** Everyone of the organization: who is there first. */
export function People() {
  const query = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useCommand('people', () => field.current?.focus());
  const people = matchPeople(
    [...slice('users').values()].filter(({ is_bot }) => !is_bot),
    query.value,
  );
  const ordered = isSpectator() ? people : orderPeople(people, own('user_id'), presenceNow);
  return (
    <div class="people">
      <h2>{peopleText.title}</h2>
      <input
        dir="auto"
        ref={field}
        type="search"
        aria-label={peopleText.search}
        placeholder={`${peopleText.search}  w`}
        value={query.value}
        onInput={({ currentTarget }) => (query.value = currentTarget.value)}
      />
      <ul>
        {ordered.slice(0, shownMax).map(({ user_id: id, full_name: name }) => (
          <Person key={id} id={id} name={name} />
        ))}
      </ul>
      {ordered.length > shownMax && <p class="dim">{commonText.more(ordered.length - shownMax)}</p>}
      <Groups query={query.value} />
    </div>
  );
}

const Person = ({ id, name }: { id: number; name: string }) => (
  <li>
    {isSpectator() ? (
      <span class="person">{name}</span>
    ) : (
      <a class="person" href={toPeople([id])}>
        <PresenceDot userId={id} />
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
      onClick={() => showProfile(id)}
    >
      <Info />
    </button>
  </li>
);
