import { signal } from '@preact/signals';

import { own } from '../../data/live/state.ts';
import { messageText } from '../../strings/messages.ts';

/** Messages of muted people that the reader has looked at, until the page is loaded anew. */
const revealed = signal<ReadonlySet<number>>(new Set());

/** Returns whether a message is not shown, because its reader has muted who wrote it. */
export const isHidden = (id: number, sender: number): boolean =>
  own('muted_users').some((muted) => muted.id === sender) && !revealed.value.has(id);

/** Shows a button in the place of a message of somebody muted. */
export const Hidden = ({ id }: { id: number }) => (
  <button
    type="button"
    class="content-more"
    onClick={() => (revealed.value = new Set([...revealed.peek(), id]))}
  >
    {messageText.hidden}
  </button>
);
