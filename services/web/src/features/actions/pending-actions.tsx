import type { PendingMessage } from '@parley/client';

import { client } from '../../data/live/follow.ts';
import { askFocus } from '../../data/writing/composition.ts';
import { discardFailed, editFailed } from '../../data/writing/failed.ts';
import { pendingText } from '../../strings/actions.ts';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';

/** Shows that a message is being sent; or why it failed, with what can be done about it. */
export function PendingActions({ pending: { localId, state, error } }: { pending: PendingMessage }) {
  if (state === 'sent') return null;
  if (state === 'sending') return <span class="dim">{pendingText.sending}</span>;
  return (
    <div class="pending-actions" role="group" aria-label={pendingText.label}>
      <span class="refusal-text">{pendingText.failed(errorText(error))}</span>{' '}
      <button type="button" onClick={() => client()?.outbox.retry(localId)}>
        {commonText.tryAgain}
      </button>{' '}
      <button
        type="button"
        onClick={() => {
          editFailed(localId);
          askFocus();
        }}
      >
        {pendingText.edit}
      </button>{' '}
      <button type="button" onClick={() => discardFailed(localId)}>
        {pendingText.discard}
      </button>
    </div>
  );
}
