import { type Message, getReaders } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { nameOfUser } from '../people/names.ts';
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
  return (
    <ul>
      {ids.value.map((reader) => (
        <li key={reader}>{nameOfUser(reader)}</li>
      ))}
    </ul>
  );
}
