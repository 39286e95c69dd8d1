import { part } from '../live/state.ts';
import { toPeople } from '../router/narrow.ts';

import './people.css';

/** Everyone of the organization, by name. */
export function People() {
  const people = [...part('users').values()]
    .filter(({ is_bot }) => !is_bot)
    .sort((a, b) => a.full_name.localeCompare(b.full_name));
  return (
    <div class="people">
      <h2>People</h2>
      <ul>
        {people.map(({ user_id, full_name }) => (
          <li key={user_id}>
            <a href={toPeople([user_id])}>{full_name}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
