import { type Message, editMessage, getRawContent } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

import './actions.css';

/** Where a message is edited, in the place of its content. */
export function EditBox({ message: { id }, onDone }: { message: Message; onDone(): void }) {
  const text = useSignal<string | null>(null);
  useEffect(() => {
    getRawContent(connection(), id)
      .then((content) => (text.value = content))
      .catch(tellError);
  }, [id]);
  if (text.value === null) return <p class="dim">Loading …</p>;
  return (
    <form
      class="edit-box"
      onSubmit={(event) => {
        event.preventDefault();
        editMessage(connection(), id, { content: text.peek() ?? '' })
          .then(onDone)
          .catch(tellError);
      }}
    >
      <textarea
        aria-label="Message that is edited"
        rows={3}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <button type="submit" class="primary">
        Save
      </button>{' '}
      <button type="button" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
}
