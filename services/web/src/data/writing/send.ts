import { runCommand } from '@parley/client';
import { batch } from '@preact/signals';

import { showToast, showError } from '../../base/toasts/toasts.tsx';
import { composeText } from '../../strings/compose.ts';
import { client } from '../live/follow.ts';
import { connection } from '../session/session.ts';
import { composition, endSending, openBlank, sending } from './composition.ts';
import { type Draft, isBlank } from './draft.ts';
import { forgetDraft } from './sync.ts';
import { destinationOf } from './target.ts';

/** Texts that ask something of the server, and are no messages. */
const commands = new Set(['/ping', '/dark', '/light', '/fluid-width', '/fixed-width']);

/** Sends what is in the box, and empties it. The draft stays until the server has the message. */
export async function send(): Promise<void> {
  const draft = composition.peek();
  const destination = draft && destinationOf(draft.target);
  if (!draft || !destination || isBlank(draft)) return;
  const content = draft.content.trim();
  if (commands.has(content)) {
    await command(draft, content);
    return;
  }
  const outbox = client()?.outbox;
  if (!outbox) return;
  const { localId } = outbox.send(destination, draft.content);
  batch(() => {
    sending.value = new Map(sending.peek()).set(localId, draft);
    openBlank(draft.target);
  });
}

async function command(draft: Draft, content: string): Promise<void> {
  try {
    showToast((await runCommand(connection(), content)) || composeText.commandDone);
    openBlank(draft.target);
    await forgetDraft(connection(), draft.id);
  } catch (error) {
    showError(error);
  }
}

/**
 * Follows what was sent: once the server has acknowledged it, its draft goes. Its event may come much later, and whoever loads
 * the page anew before that has nothing left to send. Returns what ends it.
 */
export function followOutbox(): () => void {
  const stop = client()?.outbox.subscribe(({ localId }) => {
    const draft = sending.peek().get(localId);
    const pending = client()?.outbox.pending.get(localId);
    if (!draft || (pending && pending.state !== 'sent')) return;
    endSending(localId);
    forgetDraft(connection(), draft.id).catch(showError);
  });
  return () => stop?.();
}
