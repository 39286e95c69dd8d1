import { setMaxListeners } from 'node:events';

import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { type Verdict, check } from '../chaos/checker.ts';
import type { Listener } from '../chaos/listener.ts';
import { openQueueStarts } from '../chaos/queue-starts.ts';
import { readRecordedLog } from '../chaos/recorded-log.ts';
import {
  type ScheduleVerdict,
  type ScheduledSend,
  checkSchedule,
  readSchedule,
  untilNothingWaits,
} from '../chaos/schedule-checker.ts';
import { scheduleSteadily } from '../chaos/scheduler.ts';
import { type SteadySend, sendSteadily } from '../chaos/sender.ts';
import { startListeners } from '../chaos/start-listeners.ts';
import { type Organization, baseUrlOf } from './organizations.ts';
import { askSteadily } from './requests.ts';

/** What clients of an organization did and heard. */
export interface Heard extends Verdict, ScheduleVerdict {
  organization: Organization;
  sends: readonly SteadySend[];
  /** What else was asked for and was answered with 500. */
  failed: readonly string[];
  /** How often clients were told to register anew. */
  reRegistered: number;
}

const queuesEach = 6;
const sendsPerSecond = 1.5;
const scheduledPerSecond = 0.3;
/** Clients have heard all that they were ever going to hear when nothing more came for this long. */
const silentMsMax = 10_000;
/** Above the time after which the last are due, and found again if a worker has lost them. */
const scheduleSilentMsMax = 60_000;
const signalListenersMax = 1000;

interface Clients {
  organization: Organization;
  /** What the contents of its scheduled messages begin with, in no other part. */
  prefix: string;
  listeners: readonly Listener[];
  sends: SteadySend[];
  scheduled: ScheduledSend[];
  failed: string[];
}

/** Does something to the servers while clients of organizations send, schedule, ask and listen, and compares what they heard with the logs. */
export async function underLoad(
  cluster: Cluster,
  databaseUrl: string,
  organizations: readonly Organization[],
  work: () => Promise<void>,
): Promise<Heard[]> {
  using starts = await openQueueStarts(cluster.redis.url, cluster.secret);
  const stopListening = new AbortController();
  const stopSending = new AbortController();
  for (const { signal } of [stopListening, stopSending]) setMaxListeners(signalListenersMax, signal);
  const clients: Clients[] = [];
  for (const organization of organizations) {
    const at = { baseUrl: baseUrlOf(cluster, organization) };
    const listeners = await startListeners(at, organization, queuesEach, starts);
    const prefix = `scheduled in ${organization.name} since ${Date.now()}:`;
    clients.push({ organization, prefix, listeners, sends: [], scheduled: [], failed: [] });
  }
  const listening = clients.flatMap(({ listeners }) =>
    listeners.map((listener) => listener.listen(stopListening.signal)),
  );
  const sending = clients.map((one, index) =>
    sendAll(cluster, one, (index * 1000) / sendsPerSecond / clients.length, stopSending.signal),
  );
  try {
    await work();
  } finally {
    stopSending.abort();
  }
  await Promise.all(sending);
  const heard = await Promise.all(clients.map((one) => settle(databaseUrl, one)));
  stopListening.abort();
  await Promise.all(listening);
  return heard;
}

/** Begins after a while, so that organizations send in turns and not all in the same moment. */
async function sendAll(
  cluster: Cluster,
  client: Clients,
  afterMs: number,
  signal: AbortSignal,
): Promise<void> {
  await pause(afterMs);
  const { organization, prefix, sends } = client;
  const baseUrl = baseUrlOf(cluster, organization);
  const [scheduled, failed] = await Promise.all([
    scheduleSteadily(baseUrl, organization, { perSecond: scheduledPerSecond, prefix, signal }),
    askSteadily(baseUrl, organization, signal),
    sendSteadily(baseUrl, organization, sendsPerSecond, signal, (send) => void sends.push(send)),
  ]);
  Object.assign(client, { scheduled, failed });
}

/** Waits until clients have heard all there is, and compares. */
async function settle(
  databaseUrl: string,
  { organization, prefix, listeners, sends, scheduled, failed }: Clients,
): Promise<Heard> {
  const readScheduled = () => readSchedule(databaseUrl, prefix);
  const compare = async () =>
    check(
      listeners.map(({ queue }) => queue),
      sends,
      await readRecordedLog(databaseUrl, organization.realmId),
    );
  await untilNothingWaits(scheduleSilentMsMax, async () => (await readScheduled()).waiting.size);
  await untilNothingWaits(silentMsMax, async () => {
    const { lost, silent } = await compare();
    return lost + silent;
  });
  const { sent, waiting } = await readScheduled();
  return {
    organization,
    sends,
    failed,
    ...(await compare()),
    ...checkSchedule(scheduled, sent, waiting),
    reRegistered: listeners.reduce((sum, one) => sum + one.reRegistered, 0),
  };
}
