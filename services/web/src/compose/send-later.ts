import { scheduleMessage } from '@parley/client';

import { showDialog } from '../actions/shown-dialog.ts';
import type { Draft } from '../drafts/draft.ts';
import { forgetDraft } from '../drafts/sync.ts';
import { momentOf } from '../messages/times.ts';
import { connection } from '../session/session.ts';
import { showToast, showError } from '../shell/toasts.tsx';
import { composeText } from '../strings/compose.ts';
import { composition, openBlank } from './composition.ts';
import { destinationOf } from './target.ts';

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
