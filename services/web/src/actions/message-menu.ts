import { type Message, createReminder } from '@parley/client';

import { peek } from '../live/state.ts';
import { connection } from '../session/session.ts';
import { editing } from './editing.ts';
import type { Item } from './menu.tsx';
import { mayDelete, mayEdit } from './permissions.ts';
import { showDialog } from './shown-dialog.ts';
import { attempt, copy, isResolved, linkTo, markUnread, quote, reply, toggleResolved } from './verbs.ts';

/** Asks when the reader wants to be reminded of a message. */
const remind = ({ id }: Message): void =>
  showDialog({
    kind: 'time',
    title: 'Remind me of this message',
    hasNote: true,
    onPick: async (at, note) => await createReminder(connection(), id, at, note || undefined),
  });

/** What can be done with a message, as its menu lists it. */
export function itemsOf(message: Message): Item[] {
  const { id, stream_id, subject } = message;
  const items: (Item | false)[] = [
    { name: 'Reply', act: () => reply(message) },
    { name: 'Quote and reply', act: () => attempt(quote(message)) },
    mayEdit(message) && { name: 'Edit', act: () => void (editing.value = id) },
    stream_id !== undefined && { name: 'Move …', act: () => move(message) },
    stream_id !== undefined &&
      subject !== '' && {
        name: isResolved(subject) ? 'Mark the topic as unresolved' : 'Mark the topic as resolved',
        act: () => attempt(toggleResolved(stream_id, subject, id)),
      },
    { name: 'Mark as unread from here', act: () => markUnread(message) },
    { name: 'Remind me …', act: () => remind(message) },
    { name: 'Copy the link', act: () => copy(linkTo(message)) },
    peek().own['realm_enable_read_receipts'] === true && {
      name: 'Who has read it',
      act: () => showDialog({ kind: 'readers', message }),
    },
    mayDelete(message) && { name: 'Delete …', act: () => showDialog({ kind: 'delete', message }) },
  ];
  return items.filter((item) => item !== false);
}

/** Asks where a message is to go. */
export function move({ id, stream_id, subject }: Message): void {
  if (stream_id === undefined) return;
  showDialog({ kind: 'move', moved: { id, channelId: stream_id, topic: subject, isWholeTopic: false } });
}
