import { useSignal } from '@preact/signals';

import { isSpectator } from '../../../data/session/session.ts';
import { commonText } from '../../../strings/common.ts';

/** A field by which a line is added. */
export function AddLine({ label, onAdd }: { label: string; readonly onAdd: (text: string) => void }) {
  const text = useSignal('');
  if (isSpectator()) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const added = text.peek().trim();
        if (added !== '') onAdd(added);
        text.value = '';
      }}
    >
      <input
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <button type="submit">{commonText.add}</button>
    </form>
  );
}
