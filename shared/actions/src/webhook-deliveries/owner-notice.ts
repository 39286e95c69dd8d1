import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';

import { noticeEvents } from '../messages/index.ts';

/** Returns what the notification bot tells the owner of a bot, in paragraphs; nothing if the owner is not in use. */
export async function ownerNotice(
  tx: Tx,
  { realm, botOwnerId }: Pick<Actor, 'realm' | 'botOwnerId'>,
  paragraphs: readonly string[],
): Promise<PendingEvent[]> {
  const [owner] = botOwnerId === null ? [] : await model.users.listUsers(tx, realm.id, [botOwnerId]);
  if (!owner?.isActive) return [];
  return await noticeEvents(tx, realm, { users: [owner.id] }, () => paragraphs.join('\n\n'));
}
