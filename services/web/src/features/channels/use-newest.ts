import type { FetchedMessage } from '@parley/client';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { peek, slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';

type Told = Pick<FetchedMessage, 'id' | 'sender_id' | 'timestamp'>;

/** Those who wait for messages: what is asked for in one moment is asked in one request. */
const waiting = new Map<number, ((message: Told | null) => void)[]>();

/** The most messages of one request. */
const portion = 200;

async function ask(): Promise<void> {
  const asked = [...waiting].slice(0, portion);
  for (const [id] of asked) waiting.delete(id);
  const params = { message_ids: asked.map(([id]) => id), allow_empty_topic_name: true };
  const { messages } = await connection()
    .get<{ messages: Told[] }>('/messages', params)
    .catch(() => ({ messages: [] }));
  const found = new Map(messages.map((message) => [message.id, message]));
  for (const [id, answer] of asked) for (const one of answer) one(found.get(id) ?? null);
}

function request(id: number): Promise<Told | null> {
  return new Promise((resolve) => {
    // Rows that are drawn together are asked for together.
    if (waiting.size === 0) queueMicrotask(() => void ask());
    waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
  });
}

/** Returns who wrote a message and when, as soon as that is known; null before, and for one that is gone. */
export function useNewest(id: number): Told | null {
  const asked = useSignal<Told | null>(null);
  const known = useComputed(() => {
    slice('messages');
    return peek().messages.get(id) ?? null;
  }).value;
  useEffect(() => {
    let isCurrent = true;
    if (!known) {
      void request(id).then((message) => {
        if (isCurrent) asked.value = message;
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [id, known === null]);
  return known ?? asked.value;
}
