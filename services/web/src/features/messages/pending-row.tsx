import type { PendingMessage } from '@parley/client';

import { peek } from '../../data/live/state.ts';
import { timeOf } from '../../data/places/times.ts';
import { PendingActions } from '../actions/index.ts';
import { Avatar } from '../avatars/index.ts';

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
