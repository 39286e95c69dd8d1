import type { Cluster } from '@parley/infra';

import {
  type AttemptedSend,
  type QueueStart,
  type RecordedLog,
  type Verdict,
  type WatchedQueue,
  check,
} from '../chaos/checker.ts';
import type { QueueStarts } from '../chaos/queue-starts.ts';
import { readRecordedLog } from '../chaos/recorded-log.ts';
import { untilNothingWaits } from '../chaos/schedule-checker.ts';
import type { Collected, HeardByClient } from './clients/messages.ts';
import type { Clients } from './clients/processes.ts';
import type { Organization } from './organizations.ts';
import { type Published, readPublished } from './stages/published.ts';
import { type Stage, stagesOf } from './stages/stages.ts';
import { type AppendedMessage, waysOf } from './stages/ways.ts';

const unlogged = -2;

/** How long clients may hear nothing more before what is missing is taken for lost; below the time of a heartbeat. */
export const silentMsMax = { intact: 10_000, broken: 5000 };

const watchedQueue = ({ userId, heard }: HeardByClient, start: QueueStart): WatchedQueue => ({
  userId,
  start,
  registeredAt: start.seq,
  eventTypes: null,
  narrow: null,
  allPublic: false,
  heard: Array.from({ length: heard.length / 3 }, (_, index) => {
    const [id = 0, message = 0, atMs = 0] = heard.subarray(index * 3, index * 3 + 3);
    // What is not in the log, as presence is, may be heard at most once, in its place: as a heartbeat.
    return {
      id,
      type: message === unlogged ? 'heartbeat' : 'event',
      messageId: message < 0 ? null : message,
      atMs,
    };
  }),
});

export interface Finding extends Verdict {
  sent: number;
  acknowledged: number;
  /** Where messages spent their time on the way. */
  stages: Stage[];
}

export interface Compared {
  silentMs: number;
  starts: QueueStarts;
  /** Stages are those of messages that were meant for this moment or a later one, in milliseconds since 1970. */
  countedFromMs: number;
}

/** Waits until every client has heard all that there is, or nothing more comes, and compares what they heard with the logs. */
export async function compareWithLogs(
  { postgres, redis }: Pick<Cluster, 'postgres' | 'redis'>,
  organizations: readonly Organization[],
  clients: Clients,
  { silentMs, starts, countedFromMs }: Compared,
): Promise<Finding> {
  const realmIds = organizations.map(({ id }) => id);
  const published = await readPublished(redis.url, realmIds);
  const known = new Map<string, Promise<QueueStart>>();
  const startOf = (queueId: string) => {
    const start = known.get(queueId) ?? starts.of(queueId);
    known.set(queueId, start);
    return start;
  };
  let finding = await compare();
  await untilNothingWaits(silentMs, async () => {
    if (finding.lost > 0) finding = await compare();
    return finding.lost;
  });
  return finding;

  async function compare(): Promise<Finding> {
    return await compareAll(
      { databaseUrl: postgres.url, startOf, published, countedFromMs },
      organizations,
      await clients.collect(),
    );
  }
}

const messagesOf = (log: RecordedLog, organization: number, realmId: number): AppendedMessage[] =>
  log.entries.flatMap(({ entry: { seq, event }, appendedAtMs }) =>
    event.type === 'message'
      ? // Safe: this is what such an event has.
        [
          {
            messageId: (event['message'] as { id: number }).id,
            organization,
            realmId,
            seq,
            appendedMs: appendedAtMs,
          },
        ]
      : [],
  );

interface Known {
  databaseUrl: string;
  readonly startOf: (queueId: string) => Promise<QueueStart>;
  published: Published;
  countedFromMs: number;
}

async function compareAll(
  { databaseUrl, startOf, published, countedFromMs }: Known,
  organizations: readonly Organization[],
  collected: Collected,
): Promise<Finding> {
  const { clients, sends } = collected;
  const verdicts: Verdict[] = [];
  const appended: AppendedMessage[] = [];
  for (const [index, { id }] of organizations.entries()) {
    const queues = await Promise.all(
      clients
        .filter(({ organization }) => organization === index)
        .map(async (client) => watchedQueue(client, await startOf(client.queueId))),
    );
    const attempted: AttemptedSend[] = sends.filter(({ organization }) => organization === index);
    const log = await readRecordedLog(databaseUrl, id);
    verdicts.push(check(queues, attempted, log));
    appended.push(...messagesOf(log, index, id));
  }
  const sum = (of: (verdict: Verdict) => number) => verdicts.reduce((total, one) => total + of(one), 0);
  return {
    heard: sum(({ heard }) => heard),
    lost: sum(({ lost }) => lost),
    repeated: sum(({ repeated }) => repeated),
    reordered: sum(({ reordered }) => reordered),
    leaked: sum(({ leaked }) => leaked),
    writesLost: sum(({ writesLost }) => writesLost),
    writesRepeated: sum(({ writesRepeated }) => writesRepeated),
    silent: sum(({ silent }) => silent),
    missing: verdicts.flatMap(({ missing }) => missing).slice(0, 5),
    longestPauseMs: Math.max(...verdicts.map(({ longestPauseMs }) => longestPauseMs)),
    slowestAnswerMs: Math.max(...verdicts.map(({ slowestAnswerMs }) => slowestAnswerMs)),
    stages: stagesOf(
      waysOf(collected, appended, published).filter(({ intendedMs }) => intendedMs >= countedFromMs),
    ),
    sent: sends.length,
    acknowledged: sends.filter(({ messageId }) => messageId !== null).length,
  };
}
