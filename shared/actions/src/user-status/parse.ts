import type { Tx } from '@parley/db';
import * as model from '@parley/model';
import { ApiError, limits } from '@parley/protocol';

/** A change of status as a client requests it. */
export interface StatusRequest {
  status_text?: string | undefined;
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
  away?: boolean | undefined;
}

/** A change of status. An absent field keeps its value, an empty one is cleared. */
export interface StatusChange {
  text?: string;
  emoji?: { name: string; code: string; type: string };
  away?: boolean;
}

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

/**
 * Validates a change of status, and resolves its emoji.
 *
 * @throws BAD_REQUEST for a request that changes nothing, a text that is too long, or an emoji that does not exist
 */
export async function parseRequest(tx: Tx, realmId: number, request: StatusRequest): Promise<StatusChange> {
  const { status_text, emoji_name, emoji_code, reaction_type, away } = request;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw badRequest('There is nothing to change.');
  }
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw badRequest("Send 'emoji_name' with 'emoji_code' and 'reaction_type'.");
  }
  const text = status_text?.trim();
  if (text !== undefined && [...text].length > limits.statusTextLength) {
    throw badRequest(`status_text can have at most ${limits.statusTextLength} characters.`);
  }
  return {
    ...(text !== undefined && { text }),
    ...(emoji_name !== undefined && {
      emoji: emoji_name
        ? await model.emoji.resolveEmoji(tx, realmId, { emoji_name, emoji_code, reaction_type })
        : { name: '', code: '', type: '' },
    }),
    ...(away !== undefined && { away }),
  };
}
