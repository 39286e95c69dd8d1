import { type Message, createReminder } from '@parley/client';

import type { Item } from '../../base/dialogs/menu.tsx';
import { editing } from '../../data/actions/editing.ts';
import { mayDelete, mayEdit, mayReport } from '../../data/actions/permissions.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import {
  attempt,
  copy,
  copySource,
  forward,
  isCollapsed,
  isResolved,
  linkTo,
  markReadTo,
  markUnread,
  quote,
  reply,
  toggleCollapsed,
  toggleResolved,
} from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { actionText } from '../../strings/actions.ts';

/** Asks when the reader wants to be reminded of a message. */
const remind = ({ id }: Message): void =>
  showDialog({
    kind: 'time',
    title: actionText.remindAbout,
    hasNote: true,
    onPick: async (at, note) => await createReminder(connection(), id, at, note || undefined),
  });

const showsReaders = () => peek().own['realm_enable_read_receipts'] === true;

/** Shows who has read a message, where the organization shows that. */
export function showReaders(message: Message): boolean {
  if (showsReaders()) showDialog({ kind: 'readers', message });
  return showsReaders();
}

/** Returns the items of a message's menu. */
export function itemsOf(message: Message): Item[] {
  const { id, stream_id, subject } = message;
  const items: (Item | false)[] = [
    { name: actionText.reply, act: () => reply(message) },
    { name: actionText.quote, act: () => attempt(quote(message)) },
    mayEdit(message) && { name: actionText.edit, act: () => void (editing.value = id) },
    stream_id !== undefined && { name: actionText.move, act: () => move(message) },
    stream_id !== undefined &&
      subject !== '' && {
        name: isResolved(subject) ? actionText.unresolve : actionText.resolve,
        act: () => attempt(toggleResolved(stream_id, subject, id)),
      },
    { name: actionText.markUnread, act: () => markUnread(message) },
    { name: actionText.markReadTo, act: () => markReadTo(message) },
    { name: actionText.remind, act: () => remind(message) },
    { name: actionText.forward, act: () => attempt(forward(message)) },
    { name: actionText.copyLink, act: () => copy(linkTo(message)) },
    { name: actionText.copySource, act: () => attempt(copySource(message)) },
    { name: actionText.source, act: () => showDialog({ kind: 'source', message }) },
    {
      name: isCollapsed(message) ? actionText.expand : actionText.collapse,
      act: () => toggleCollapsed(message),
    },
    showsReaders() && { name: actionText.readReceipts, act: () => showReaders(message) },
    mayReport() && { name: actionText.report, act: () => showDialog({ kind: 'report', message }) },
    mayDelete(message) && { name: actionText.delete, act: () => showDialog({ kind: 'delete', message }) },
  ];
  return items.filter((item) => item !== false);
}

/** Asks where a message is to go. */
export function move({ id, stream_id, subject }: Message): void {
  if (stream_id === undefined) return;
  showDialog({ kind: 'move', moved: { id, channelId: stream_id, topic: subject, isWholeTopic: false } });
}
