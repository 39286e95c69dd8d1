import { tables, type Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, limits, events } from '@parley/protocol';

import { lockMessage } from '../messages/index.ts';
import { participate } from '../user-topics/index.ts';
import { assertWidgetUpdateIsValid } from './widget-updates.ts';

const { submessages } = tables;

export interface NewSubmessage {
  messageId: number;
  type: string;
  /** JSON of the update. */
  content: string;
}

/**
 * Adds a submessage: what the actor does with the widget of a message.
 *
 * @throws BAD_REQUEST for a message that the actor may not read or that is in an archived channel, one that is no
 * widget, content that is no valid update of its widget, or too many submessages
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function add(
  tx: Tx,
  { actor, messageId, type, content }: { actor: Actor } & NewSubmessage,
): Promise<ActionResult> {
  // The message is locked, so that its submessages are numbered in the order of the log.
  const access = await lockMessage(tx, actor, messageId);
  const { message, channel, people } = access;
  const isAuthor = message.senderId === actor.id;
  const { count, bytes, hasAuthors } = await model.submessages.countSubmessages(tx, message);
  if (!isAuthor && !hasAuthors) {
    throw new ApiError('BAD_REQUEST', 'Nothing can be added to this message.');
  }
  const update = parseJson(content);
  const widget = await model.submessages.findWidget(tx, actor.realm.id, messageId);
  if (widget) assertWidgetUpdateIsValid(model.submessages.widgetTypeOf(widget.content), update, isAuthor);
  const isFull =
    count >= limits.submessagesPerMessage ||
    bytes + Buffer.byteLength(content) > limits.submessageBytesPerMessage;
  if (isFull) {
    throw new ApiError('BAD_REQUEST', 'This message already has too many answers.');
  }
  const [row] = await tx
    .insert(submessages)
    .values({ realmId: actor.realm.id, messageId, senderId: actor.id, type, content })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  const event = events.submessage({
    message_id: messageId,
    submessage_id: row.id,
    sender_id: actor.id,
    msg_type: type,
    content,
  });
  const audience = await model.access.messageAudience(tx, { channel: channel?.channel ?? null, people }, [
    messageId,
  ]);
  return { events: [...(await participate(tx, actor, access)), { event, ...audience }] };
}
add.actionName = 'submessages.add' as const;

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new ApiError('BAD_REQUEST', 'The content of a submessage must be JSON.');
  }
}
