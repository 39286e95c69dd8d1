import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type DraftType } from '@parley/protocol';

/** A draft as a client writes it. Without a time, it was edited just now. */
export interface NewDraft {
  type: DraftType;
  to: number[];
  topic: string;
  content: string;
  /** Seconds since 1970. */
  timestamp?: number | null | undefined;
}

/**
 * Parses a draft to the form that is stored.
 *
 * @throws BAD_REQUEST for a channel draft without exactly one channel that the actor may read, for a user whom the actor
 * may not see, for a null byte, an empty content, or a time before 1970
 */
export async function parseDraft(tx: Tx, actor: Actor, draft: NewDraft, nowMs: number) {
  const content = model.messages.parseMessageContent(draft.content);
  // To the microsecond, as older clients send it; Postgres keeps what is left of it.
  const editedMs = draft.timestamp ? draft.timestamp * 1000 : nowMs;
  if (editedMs < 0) throw new ApiError('BAD_REQUEST', "'timestamp' cannot be negative.");
  return {
    realmId: actor.realm.id,
    userId: actor.id,
    ...(await parseAddress(tx, actor, draft)),
    content,
    editedAt: new Date(editedMs),
  };
}

async function parseAddress(tx: Tx, actor: Actor, { type, to, topic }: NewDraft) {
  if (type === 'stream') {
    if (topic.includes('\0')) throw new ApiError('BAD_REQUEST', 'The topic contains a null character.');
    const [channelId, ...more] = to;
    if (channelId === undefined || more.length > 0) {
      throw new ApiError('BAD_REQUEST', 'Name exactly one channel.');
    }
    const { channel } = await model.access.getReadableChannel(tx, actor, channelId);
    return {
      type,
      recipients: [channel.id],
      topic: model.messages.truncateTopic(model.messages.readEmptyTopic(topic)),
    };
  }
  const recipients = type === 'private' ? await parseUsers(tx, actor, to) : [];
  return { type: recipients.length > 0 ? type : '', recipients, topic: '' };
}

/** The others in a direct message, or the actor in a note to themselves. Nobody else is told of a draft. */
async function parseUsers(tx: Tx, actor: Actor, ids: number[]): Promise<number[]> {
  const distinct = [...new Set(ids)];
  const users = new Set((await model.users.listUsers(tx, actor.realm.id, distinct)).map(({ id }) => id));
  const missing = distinct.find((id) => !users.has(id));
  if (missing !== undefined) throw new ApiError('BAD_REQUEST', `There is no user with the id ${missing}.`);
  if ((await model.access.inaccessibleUserIds(tx, actor, distinct)).size > 0) {
    throw new ApiError(
      'BAD_REQUEST',
      'Some of the recipients do not exist, or you do not have access to them.',
    );
  }
  const others = distinct.filter((id) => id !== actor.id).sort((a, b) => a - b);
  return others.length > 0 ? others : distinct;
}
