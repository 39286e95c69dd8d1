import { createHash } from 'node:crypto';

import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';

import { getReadableChannel } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { listUsers } from '../users/find.ts';

/**
 * Returns the address at which a channel receives email on behalf of a sender. It never changes.
 *
 * @throws BAD_REQUEST if the actor may not read the channel, or the sender is not the actor, a bot of the actor's or a
 *   system bot
 */
export async function getChannelEmailAddress(
  tx: Tx,
  actor: Actor,
  { channelId, senderId }: { channelId: number; senderId: number },
): Promise<string> {
  const { channel } = await getReadableChannel(tx, actor, channelId);
  const [sender] = await listUsers(tx, actor.realm.id, [senderId]);
  const isOwn = sender !== undefined && (sender.id === actor.id || sender.botOwnerId === actor.id);
  if (!isOwn && !sender?.isSystem)
    throw new ApiError('BAD_REQUEST', 'This sender does not exist, or mail cannot be sent for it.');
  const name = channel.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const token = createHash('sha256')
    .update(`${channel.conversationId}:${channel.id}:${senderId}:${channel.createdAt.getTime()}`)
    .digest('hex')
    .slice(0, 32);
  return `${name.replaceAll(/^-|-$/g, '') || 'channel'}.${token}@${actor.realm.emailDomain}`;
}
