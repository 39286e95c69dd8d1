import type { FetchedMessage } from '@parley/client';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { gather } from '../../base/functions/gather.ts';
import { peek, slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';

type Told = Pick<FetchedMessage, 'id' | 'sender_id' | 'timestamp'>;

/** The most messages of one request. */
const portion = 200;

/** Asks for the messages of rows that are drawn together in one request. */
const request = gather<number, Told>(portion, async (ids) => {
  const params = { message_ids: ids, allow_empty_topic_name: true };
  const { messages } = await connection().get<{ messages: Told[] }>('/messages', params);
  return new Map(messages.map((message) => [message.id, message]));
});

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
