import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { CanaryClient } from './client.ts';

export const steps = ['register', 'send', 'hear'] as const;
export type Step = (typeof steps)[number];

/** How long each step took, in seconds. A message is heard from the moment on which sending it begins. */
export type Timings = Record<Step, number>;

/** A step failed. */
export class ProbeFailed extends Error {
  readonly step: Step;
  constructor(step: Step, cause: unknown) {
    super(`The canary could not ${step}.`, { cause });
    this.step = step;
  }
}

const Registered = z.object({ queue_id: z.string(), last_event_id: z.int() });
const Heard = z.object({
  events: z.array(z.looseObject({ id: z.int(), message: z.object({ content: z.string() }).optional() })),
});

/** The time that deleting the queue may take. */
const deletionMs = 3000;

/**
 * Registers a queue, waits at it, and sends itself a message. Resolves when the message is heard; the queue is deleted
 * in any case. Throws ProbeFailed, after `limitMs` at the latest, or when it is aborted.
 */
export async function probe(
  client: CanaryClient,
  userId: number,
  limitMs: number,
  aborted: AbortSignal,
): Promise<Timings> {
  const over = new AbortController();
  const late = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([over.signal, aborted, late]);
  const inStep = async <Result>(step: Step, work: () => Promise<Result>): Promise<[Result, number]> => {
    const startedMs = performance.now();
    const result = await work().catch((error: unknown) => {
      throw new ProbeFailed(step, error);
    });
    return [result, (performance.now() - startedMs) / 1000];
  };

  // One that is registered has to be known, to be deleted.
  const [queue, register] = await inStep('register', async () =>
    Registered.parse(
      await client.ask('POST', '/register', { event_types: '["message"]', fetch_event_types: '[]' }, late),
    ),
  );
  try {
    const text = `canary ${randomUUID()}`;
    const hearing = inStep('hear', () => hear(client, queue, text, signal));
    const sending = inStep('send', () =>
      client.ask('POST', '/messages', { type: 'direct', to: `[${userId}]`, content: text }, signal),
    );
    const [[, send], [, heard]] = await Promise.all([sending, hearing]);
    return { register, send, hear: heard };
  } finally {
    over.abort();
    const soon = AbortSignal.timeout(deletionMs);
    // One that is not deleted now is forgotten when nobody polls it.
    await client.ask('DELETE', '/events', { queue_id: queue.queue_id }, soon).catch(() => undefined);
  }
}

async function hear(
  client: CanaryClient,
  { queue_id, last_event_id }: z.infer<typeof Registered>,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  let last = last_event_id;
  for (;;) {
    const { events } = Heard.parse(
      await client.ask('GET', '/events', { queue_id, last_event_id: `${last}` }, signal),
    );
    if (events.some(({ message }) => message?.content.includes(text))) return;
    last = events.at(-1)?.id ?? last;
  }
}
