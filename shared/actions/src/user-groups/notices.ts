import type { Tx, UserGroupRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, limits } from '@parley/protocol';
import type { NoticeTexts } from '@parley/strings';

import { type NoticeWriter, noticeEvents } from '../messages/index.ts';
import type { GroupMember } from './members.ts';

/**
 * Returns events of direct notices to people whom the actor added to a group, or removed from it. None is sent when
 * there would be more than the limit.
 */
export async function memberNotices(
  tx: Tx,
  actor: Actor,
  group: UserGroupRow,
  { added, removed }: { added: GroupMember[]; removed: GroupMember[] },
): Promise<PendingEvent[]> {
  const [who, what] = [model.messages.silentMention(actor), model.messages.silentGroupMention(group)];
  const texts = new Map<GroupMember, NoticeWriter>([
    ...added.map((user) => [user, (text: NoticeTexts) => text.account.added(who, what)] as const),
    ...removed.map((user) => [user, (text: NoticeTexts) => text.account.removed(who, what)] as const),
  ]);
  const notified = [...texts].filter(([{ id, botType }]) => id !== actor.id && botType === null);
  if (notified.length > limits.groupChangeMessages) return [];
  const events: PendingEvent[] = [];
  // They are sent in the order of ids, so that two transactions do not wait for each other's new conversations.
  for (const [{ id }, write] of notified.sort(([a], [b]) => a.id - b.id)) {
    events.push(...(await noticeEvents(tx, actor.realm, { users: [id] }, write)));
  }
  return events;
}
