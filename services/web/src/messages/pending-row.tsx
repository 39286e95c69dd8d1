import type { PendingMessage } from '@parley/client';

import { PendingActions } from '../actions/pending-actions.tsx';
import { peek } from '../live/state.ts';
import { Avatar } from './avatar.tsx';
import { timeOf } from './times.ts';

/** A message of the reader's own that is on its way, or has failed. */
export function PendingRow({ message }: { message: PendingMessage }) {
  const { content, timestamp, state } = message;
  const { user_id, full_name } = peek().own;
  return (
    <article class={`message with-sender pending ${state}`} aria-busy={state !== 'failed'}>
      <Avatar id={user_id} />
      <p class="message-head">
        <strong>{full_name}</strong> <span class="dim">{timeOf(timestamp)}</span>
      </p>
      <div class="message-body">
        <p class="pending-text">{content}</p>
        <PendingActions pending={message} />
      </div>
    </article>
  );
}
