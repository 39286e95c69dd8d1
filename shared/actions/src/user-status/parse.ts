import type { Tx } from '@parley/db';
import { resolveEmoji } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';

/** A change of status, as a client asks for it. */
export interface StatusRequest {
  status_text?: string | undefined;
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
  away?: boolean | undefined;
}

/** What is to become of a status; absent stays as it is, empty is unset. */
export interface StatusChange {
  text?: string;
  emoji?: { name: string; code: string; type: string };
  away?: boolean;
}

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

export async function parseStatus(tx: Tx, realmId: number, request: StatusRequest): Promise<StatusChange> {
  const { status_text, emoji_name, emoji_code, reaction_type, away } = request;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw badRequest('Client did not pass any new values.');
  }
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  const text = status_text?.trim();
  if (text !== undefined && [...text].length > limits.statusTextLength) {
    throw badRequest(`status_text is too long (limit: ${limits.statusTextLength} characters)`);
  }
  return {
    ...(text !== undefined && { text }),
    ...(emoji_name !== undefined && {
      emoji: emoji_name
        ? await resolveEmoji(tx, realmId, { emoji_name, emoji_code, reaction_type })
        : { name: '', code: '', type: '' },
    }),
    ...(away !== undefined && { away }),
  };
}
