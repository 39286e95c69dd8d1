import { setMaxListeners } from 'node:events';

import { type Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import type { ChaosRealm } from '../chaos/chaos-realm.ts';
import { type RecordedLog, type Verdict, check } from '../chaos/checker.ts';
import type { Listener } from '../chaos/listener.ts';
import { type QueueStarts, openQueueStarts } from '../chaos/queue-starts.ts';
import { readRecordedLog } from '../chaos/recorded-log.ts';
import { untilNothingWaits } from '../chaos/schedule-checker.ts';
import { type SteadySend, sendSteadily } from '../chaos/sender.ts';
import { startListeners } from '../chaos/start-listeners.ts';
import { type AcknowledgedUpload, findUpload, uploadSteadily } from './uploader.ts';

/** Files that there are before the first backup. */
const filesBefore = 20;
/** Sends that get through after the restore before clients stop, and files. */
const sendsAfter = 60;
const filesAfter = 3;
/** This says that something hangs, and nothing about speed. */
const limitMs = 600_000;
/** Clients have heard all that they were ever going to hear when nothing more came for so long. */
const silentMsMax = { intact: 10_000, broken: 3000 };
const signalListenersMax = 10_000;

/** Something that was acknowledged, and when. */
interface Acknowledged {
  startedMs: number;
  endedMs: number;
}

/** What became of what clients had been told is done. */
export interface Fate {
  acknowledged: number;
  lost: Acknowledged[];
  /** What is there. */
  kept: Acknowledged[];
  damaged: number;
}

/** What clients met with. */
export interface Seen {
  /** How many clients went on as if nothing had happened, were told to register anew, or are wrong and do not know. */
  outcomes: { heard: number; told: number; silent: number };
  verdict: Verdict;
  /** Sends that were acknowledged, by when. */
  acknowledgedMs: number[];
  sends: Fate;
  uploads: Fate;
}

export interface ClientsOptions {
  sendsPerSecond: number;
  uploadsPerSecond: number;
  /** Something that is broken on purpose; then clients are not waited for as long. */
  broken: string | undefined;
}

/** Clients that send, upload and listen before a disaster and after it. */
export class Clients implements AsyncDisposable {
  beganMs = 0;
  readonly uploads: AcknowledgedUpload[] = [];
  private readonly cluster: Cluster;
  private readonly realm: ChaosRealm;
  private readonly options: ClientsOptions;
  private readonly sends: SteadySend[] = [];
  private readonly stopSending = new AbortController();
  private readonly stopListening = new AbortController();
  private listeners: Listener[] = [];
  private underway: Promise<unknown>[] = [];
  private starts: QueueStarts | undefined;

  constructor(cluster: Cluster, realm: ChaosRealm, options: ClientsOptions) {
    this.cluster = cluster;
    this.realm = realm;
    this.options = options;
    for (const { signal } of [this.stopListening, this.stopSending]) {
      setMaxListeners(signalListenersMax, signal);
    }
  }

  /** Uploads files that belong to the first backup. */
  async uploadFirst(): Promise<void> {
    const { signal } = this.stopSending;
    const few = { perSecond: Number.POSITIVE_INFINITY, signal, max: filesBefore };
    await uploadSteadily(this.cluster.baseUrl, this.realm, few, this.uploads);
  }

  async begin(queues: number): Promise<void> {
    const { cluster, realm, options } = this;
    const { signal } = this.stopSending;
    this.starts = await openQueueStarts(cluster.redis.url, cluster.secret);
    this.listeners = await startListeners(cluster, realm, queues, this.starts);
    const onSent = (send: SteadySend) => void this.sends.push(send);
    const perSecond = options.uploadsPerSecond;
    this.beganMs = Date.now();
    this.underway = [
      sendSteadily(cluster.baseUrl, realm, options.sendsPerSecond, signal, onSent),
      uploadSteadily(cluster.baseUrl, realm, { perSecond, signal }, this.uploads),
      ...this.listeners.map((listener) => listener.listen(this.stopListening.signal)),
    ];
  }

  /** Resolves when clients have sent and uploaded again since this moment. */
  async goOn(sinceMs: number): Promise<void> {
    const giveUpMs = Date.now() + limitMs;
    const count = (done: readonly Partial<Acknowledged>[]) =>
      done.filter(({ endedMs = 0 }) => endedMs >= sinceMs).length;
    while (count(this.acknowledged) < sendsAfter || count(this.uploads) < filesAfter) {
      if (Date.now() > giveUpMs) throw new Error('Clients did not go on.');
      await pause(50);
    }
  }

  /** Stops sending, waits until clients have heard all there is, and compares everything with what was acknowledged. */
  async finish(databaseUrl: string): Promise<Seen> {
    this.stopSending.abort();
    const [sending, uploading] = this.underway;
    await Promise.all([sending, uploading]);
    const readLog = () => readRecordedLog(databaseUrl, this.realm.realmId);
    const queues = () => this.listeners.map(({ queue }) => queue);
    await untilNothingWaits(this.options.broken ? silentMsMax.broken : silentMsMax.intact, async () => {
      const { lost, silent } = check(queues(), this.sends, await readLog());
      return lost + silent;
    });
    const log = await readLog();
    const verdict = check(queues(), this.sends, log);
    const acknowledged = this.acknowledged;
    return {
      outcomes: this.judgeClients(log),
      verdict,
      acknowledgedMs: acknowledged.map(({ endedMs }) => endedMs),
      sends: {
        acknowledged: acknowledged.length,
        lost: acknowledged.filter(({ localId, messageId }) => !isWritten(log, localId, messageId)),
        kept: acknowledged.filter(({ localId, messageId }) => isWritten(log, localId, messageId)),
        damaged: 0,
      },
      uploads: await this.findUploads(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopSending.abort();
    this.stopListening.abort();
    await Promise.allSettled(this.underway);
    this.starts?.[Symbol.dispose]();
  }

  private get acknowledged(): (SteadySend & { messageId: number })[] {
    return this.sends.flatMap(({ messageId, ...send }) =>
      messageId === null ? [] : [{ ...send, messageId }],
    );
  }

  private judgeClients(log: RecordedLog): Seen['outcomes'] {
    const outcomes = { heard: 0, told: 0, silent: 0 };
    for (const { queue, reRegistered } of this.listeners) {
      const { lost, leaked, silent } = check([queue], this.sends, log);
      if (lost + leaked + silent > 0) outcomes.silent += 1;
      else outcomes[reRegistered > 0 ? 'told' : 'heard'] += 1;
    }
    return outcomes;
  }

  private async findUploads(): Promise<Fate> {
    const fate: Fate = { acknowledged: this.uploads.length, lost: [], kept: [], damaged: 0 };
    for (const upload of this.uploads) {
      const found = await findUpload(this.cluster.baseUrl, upload);
      fate[found === 'lost' ? 'lost' : 'kept'].push(upload);
      if (found === 'damaged') fate.damaged += 1;
    }
    return fate;
  }
}

const isWritten = (log: RecordedLog, localId: string, messageId: number): boolean =>
  log.messagesByLocalId.get(localId)?.includes(messageId) === true;
