import { pause } from '@parley/kit';

import { type RawConnection, postRequest } from '../../bench/poller.ts';
import type { Recorder } from '../recorder.ts';
import type { Person } from './person.ts';

interface Registered {
  queueId: string;
  lastEventId: number;
}

/** A client's first request after an outage: everything that it shows. */
const form = new URLSearchParams({ apply_markdown: 'true', client_gravatar: 'true' }).toString();
const failedMs = 1000;

/** Registers until there is a queue. Whoever is told to come back later does, at some moment of the second after. */
export async function registerAgain(
  connection: RawConnection,
  person: Person,
  recorder: Recorder,
): Promise<Registered> {
  for (;;) {
    const { status, retryAfter, text } = await post(connection, person);
    if (status === '200') return read(text);
    if (status === '503' && retryAfter !== null) recorder.defer();
    else recorder.fail(`returns: ${status} ${text.slice(0, 120)}`);
    await pause((retryAfter ?? 1) * 1000 + Math.random() * failedMs);
  }
}

interface Reply {
  status: string;
  retryAfter: number | null;
  text: string;
}

function post(connection: RawConnection, { authorization, host }: Person): Promise<Reply> {
  return new Promise((resolve) => {
    connection.ask(postRequest('/api/v1/register', authorization, form, host), (body, head) => {
      const headers = head.toString('latin1');
      const retryAfter = /\r\nretry-after: *(\d+)/i.exec(headers)?.[1];
      resolve({
        status: headers.slice(9, 12),
        retryAfter: retryAfter === undefined ? null : Number(retryAfter),
        text: body.toString('latin1'),
      });
    });
  });
}

/** Two fields of a reply that may be megabytes long, for thousands of clients at once. */
function read(text: string): Registered {
  const queueId = /"queue_id":"([^"]+)"/.exec(text)?.[1];
  const lastEventId = /"last_event_id":(-?\d+)/.exec(text)?.[1];
  if (queueId === undefined || lastEventId === undefined) throw new Error('A registration has no queue.');
  return {
    queueId,
    lastEventId: Number(lastEventId),
  };
}
