import { pause } from '@parley/kit';

import type { Member } from '../chaos/chaos-realm.ts';
import { ask } from './requests.ts';

export interface Listening {
  baseUrl: string;
  member: Member;
  signal: AbortSignal;
  /** What a poll was answered with, as soon as it is there. */
  readonly heard: (events: { id: number; message?: { content: string } }[]) => void;
  /** A poll that was not answered with 200; 0 is a connection that failed. */
  readonly failed: (status: number) => void;
}

/** A client of a user: registers a queue, and polls it until the signal aborts. */
export async function listen({ baseUrl, member, signal, heard, failed }: Listening): Promise<void> {
  const fields = { fetch_event_types: [], event_types: ['message'] };
  const registered = JSON.parse((await ask({ baseUrl, as: member, path: '/api/v1/register', fields })).text);
  let cursor = Number(registered.last_event_id);
  while (!signal.aborted) {
    const query = { queue_id: String(registered.queue_id), last_event_id: cursor };
    const path = '/api/v1/events';
    const reply = await ask({ baseUrl, as: member, method: 'GET', path, fields: query, signal });
    if (signal.aborted) return;
    if (reply.status === 200) {
      const { events } = JSON.parse(reply.text);
      heard(events);
      cursor = Math.max(cursor, ...events.map(({ id }: { id: number }) => id));
    } else {
      failed(reply.status);
      await pause(50, signal);
    }
  }
}
