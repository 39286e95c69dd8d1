import { type Message, getReaders } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { nameOfUser } from '../../data/people/names.ts';
import { connection } from '../../data/session/session.ts';
import { readersText } from '../../strings/actions.ts';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';

/** Lists who has read a message, among those who share that. */
export function ReadersDialog({ message: { id } }: { message: Message }) {
  const ids = useSignal<readonly number[] | null>(null);
  const error = useSignal('');
  useEffect(() => {
    getReaders(connection(), id)
      .then((readers) => (ids.value = readers))
      .catch((failure: unknown) => (error.value = errorText(failure)));
  }, [id]);
  if (error.value) return <p class="refusal-text">{error.value}</p>;
  if (ids.value === null) return <p class="dim">{commonText.loading}</p>;
  if (ids.value.length === 0) return <p>{readersText.none}</p>;
  return (
    <ul>
      {ids.value.map((reader) => (
        <li key={reader}>{nameOfUser(reader)}</li>
      ))}
    </ul>
  );
}
