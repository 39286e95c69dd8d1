import { scheduleMessage } from '@parley/client';

import { showToast, showError } from '../../base/toasts/toasts.tsx';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { composition, openBlank } from '../../data/writing/composition.ts';
import type { Draft } from '../../data/writing/draft.ts';
import { forgetDraft } from '../../data/writing/sync.ts';
import { destinationOf } from '../../data/writing/target.ts';
import { composeText } from '../../strings/compose.ts';

/** Asks when a message is to be sent, and has the server send it then. */
export function sendLater(draft: Draft): void {
  const destination = destinationOf(draft.target);
  if (!destination) return;
  showDialog({
    kind: 'time',
    title: composeText.sendLater,
    hasNote: false,
    async onPick(at) {
      await scheduleMessage(connection(), destination, draft.content, at);
      if (composition.peek()?.id === draft.id) openBlank(draft.target);
      forgetDraft(connection(), draft.id).catch(showError);
      showToast(composeText.scheduled(momentOf(at)));
    },
  });
}
