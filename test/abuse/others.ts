import { setMaxListeners } from 'node:events';

import { pause } from '@parley/kit';

import { type ChaosRealm, type Member, channelNames } from '../chaos/chaos-realm.ts';
import { startCrowd } from './crowd.ts';
import { type Listening, listen } from './listen.ts';
import { type Answered, ask } from './requests.ts';

/** What ordinary users met with: how long each answer and each delivery took, and how many requests failed. */
export interface Experience {
  /** Milliseconds from a send to its answer, from a read to its answer, and from a send to each who hears it and measures. */
  sends: number[];
  reads: number[];
  deliveries: number[];
  /** Requests that were not answered with 200, by status; 0 is a connection that failed. */
  failures: Record<number, number>;
}

const sendsPerSecond = 10;
const readsPerSecond = 10;
/** Of the listeners: what all of them hear would keep one process from anything else. */
const measuringMax = 4;

export interface Others {
  /** What they meet with from now on, until the next call. */
  begin(): Experience;
  stop(): Promise<void>;
}

const empty = (): Experience => ({ sends: [], reads: [], deliveries: [], failures: {} });

/** Ordinary users: each has a queue and polls it, and together they send and read at a steady rate. */
export async function startOthers(baseUrl: string, { members }: ChaosRealm): Promise<Others> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  let experience = empty();
  const sentMs = new Map<string, number>();

  const failed = (status: number) => {
    experience.failures[status] = (experience.failures[status] ?? 0) + 1;
  };
  const note = (kind: 'sends' | 'reads', { status, ms }: Answered) => {
    if (signal.aborted) return;
    experience[kind].push(ms);
    if (status !== 200) failed(status);
  };
  const heard: Listening['heard'] = (events) => {
    const heardMs = performance.now();
    for (const { message } of events) {
      const atMs = sentMs.get(message?.content ?? '');
      if (atMs !== undefined) experience.deliveries.push(heardMs - atMs);
    }
  };

  async function steadily(perSecond: number, act: (number: number) => Promise<void>): Promise<void> {
    const startMs = performance.now();
    const underway = new Set<Promise<void>>();
    for (let number = 0; !signal.aborted; number += 1) {
      await pause(startMs + (number * 1000) / perSecond - performance.now(), signal);
      if (signal.aborted) break;
      const acting = act(number);
      underway.add(acting);
      void acting.finally(() => underway.delete(acting));
    }
    await Promise.all(underway);
  }

  const memberAt = (number: number): Member => {
    const member = members[number % members.length];
    if (!member) throw new Error('The realm has no members.');
    return member;
  };

  const crowd = startCrowd({ baseUrl, members: members.slice(measuringMax) }, failed);
  const running = [
    ...members.slice(0, measuringMax).map((member) => listen({ baseUrl, member, signal, heard, failed })),
    steadily(sendsPerSecond, async (number) => {
      const content = `number ${number}`;
      sentMs.set(content, performance.now());
      const fields = { type: 'channel', to: channelNames.square, topic: `t${number % 5}`, content };
      note('sends', await ask({ baseUrl, as: memberAt(number), path: '/api/v1/messages', fields }));
    }),
    steadily(readsPerSecond, async (number) => {
      const narrow = [
        ['channel', channelNames.square],
        ['topic', `t${number % 5}`],
      ];
      const fields = { anchor: 'newest', num_before: 20, num_after: 0, narrow };
      note(
        'reads',
        await ask({ baseUrl, as: memberAt(number), method: 'GET', path: '/api/v1/messages', fields }),
      );
    }),
  ];

  return {
    begin() {
      experience = empty();
      return experience;
    },
    async stop() {
      stopping.abort();
      await Promise.all([...running, crowd.stop()]);
    },
  };
}
