import { useRef } from 'preact/hooks';

import { useCommand } from '../keys/commands.ts';
import { go } from '../router/fragment.ts';
import { narrowFragment } from '../router/narrow.ts';

import './search-field.css';

/** Where one searches. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  useCommand('search', () => field.current?.focus());
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const operand = field.current?.value.trim() ?? '';
        if (operand)
          go(narrowFragment({ terms: [{ operator: 'search', operand, negated: false }], near: null }));
      }}
    >
      <input ref={field} type="search" aria-label="Search" placeholder="Search  /" />
    </form>
  );
}
