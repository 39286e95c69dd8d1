import type { NotifiedMessage } from '../describe.ts';

/** What the server tells a browser: of a message, or which messages to show no more. */
export type Told =
  | { kind: 'message'; message: NotifiedMessage }
  | { kind: 'remove'; ids: ReadonlySet<number> };

/** Reads what was pushed; null for what this version does not understand. */
export function readTold(text: string): Told | null {
  const fields = parse(text);
  if (fields['event'] === 'remove') {
    const ids = fields['message_ids'];
    return Array.isArray(ids) ? { kind: 'remove', ids: new Set(ids.filter(Number.isSafeInteger)) } : null;
  }
  const { id, sender, avatar_url, stream_id, channel, topic, others } = fields;
  const shown = fields['content'] ?? fields['placeholder'];
  if (fields['event'] !== 'message' || !isId(id) || typeof sender !== 'string') return null;
  return {
    kind: 'message',
    message: {
      id,
      sender,
      avatarUrl: typeof avatar_url === 'string' ? avatar_url : null,
      topic:
        isId(stream_id) && typeof channel === 'string'
          ? { channelId: stream_id, channel, topic: typeof topic === 'string' ? topic : '' }
          : null,
      others: Array.isArray(others) ? others.filter(isId) : undefined,
      text: typeof shown === 'string' ? shown : undefined,
    },
  };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
