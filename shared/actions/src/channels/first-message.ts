import { type Tx, tables } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

/** Tells who may know of a channel which message is its first one now, if that is another one than before. */
export async function refreshFirstMessage(
  tx: Tx,
  { realm, channelId }: { realm: Realm; channelId: number },
): Promise<ActionResult> {
  const { channels } = tables;
  const rules = await model.permissions.getRules(tx, realm.id);
  const [channel] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.realmId, realm.id), eq(channels.id, channelId)));
  if (!channel) throw new Error(`Realm ${realm.id} has no channel ${channelId}.`);
  return { events: [await model.channels.refreshedFirstMessageIdEvent(tx, realm, channel, rules)] };
}
refreshFirstMessage.actionName = 'channels.refreshFirstMessage' as const;
