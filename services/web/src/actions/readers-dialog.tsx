import { type Message, getReaders } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { part } from '../live/state.ts';
import { connection } from '../session/session.ts';

/** Who has read a message, as far as they let others know. */
export function ReadersDialog({ message: { id } }: { message: Message }) {
  const ids = useSignal<readonly number[] | null>(null);
  const error = useSignal('');
  useEffect(() => {
    getReaders(connection(), id)
      .then((readers) => (ids.value = readers))
      .catch((failure: unknown) => (error.value = failure instanceof Error ? failure.message : ''));
  }, [id]);
  if (error.value) return <p class="refusal-text">{error.value}</p>;
  if (ids.value === null) return <p class="dim">Loading …</p>;
  if (ids.value.length === 0) return <p>Nobody yet.</p>;
  const users = part('users');
  return (
    <ul>
      {ids.value.map((reader) => (
        <li key={reader}>{users.get(reader)?.full_name ?? `Somebody (${reader})`}</li>
      ))}
    </ul>
  );
}
