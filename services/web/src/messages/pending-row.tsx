import type { PendingMessage } from '@parley/client';

import { client } from '../live/follow.ts';
import { peek } from '../live/state.ts';
import { Avatar } from './avatar.tsx';
import { timeOf } from './times.ts';

/** A message of the reader's own that is on its way, or has failed. */
export function PendingRow({ message }: { message: PendingMessage }) {
  const { localId, content, timestamp, state, error } = message;
  const { user_id, full_name } = peek().own;
  return (
    <article class={`message with-sender pending ${state}`} aria-busy={state !== 'failed'}>
      <Avatar id={user_id} />
      <p class="message-head">
        <strong>{full_name}</strong> <span class="dim">{timeOf(timestamp)}</span>
      </p>
      <div class="message-body">
        <p class="pending-text">{content}</p>
        {state === 'failed' ? (
          <p role="alert" class="refusal-text">
            Not sent: {error instanceof Error ? error.message : 'the server could not be reached.'}{' '}
            <button type="button" onClick={() => client()?.outbox.retry(localId)}>
              Try again
            </button>{' '}
            <button type="button" onClick={() => client()?.outbox.discard(localId)}>
              Discard
            </button>
          </p>
        ) : (
          <p class="dim">Sending …</p>
        )}
      </div>
    </article>
  );
}
