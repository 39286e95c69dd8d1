import type { PendingMessage } from '@parley/client';

import { askFocus } from '../compose/composition.ts';
import { discardFailed, editFailed } from '../compose/send.ts';
import { client } from '../live/follow.ts';

/** What becomes of a message that was sent: that it is on its way; or why it failed, and what to do about it. */
export function PendingActions({ pending: { localId, state, error } }: { pending: PendingMessage }) {
  if (state !== 'failed') return <span class="dim">Sending …</span>;
  return (
    <div class="pending-actions" role="group" aria-label="Not sent">
      <span class="refusal-text">
        Not sent: {error instanceof Error ? error.message : 'the server cannot be reached.'}
      </span>{' '}
      <button type="button" onClick={() => client()?.outbox.retry(localId)}>
        Try again
      </button>{' '}
      <button
        type="button"
        onClick={() => {
          editFailed(localId);
          askFocus();
        }}
      >
        Change it
      </button>{' '}
      <button type="button" onClick={() => discardFailed(localId)}>
        Discard
      </button>
    </div>
  );
}
