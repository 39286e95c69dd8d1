import { setMaxListeners } from 'node:events';

import { pause } from '@parley/kit';

import type { ChaosRealm } from '../chaos/chaos-realm.ts';
import { type Verdict, check } from '../chaos/checker.ts';
import { type Listener, startListener } from '../chaos/listener.ts';
import type { QueueStarts } from '../chaos/queue-starts.ts';
import { readRecordedLog } from '../chaos/recorded-log.ts';
import { type SteadySend, sendSteadily } from '../chaos/sender.ts';

const sendsPerSecond = 20;
const sendsPerStep = 40;
/** This says that something hangs, and nothing about speed. */
const limitMs = 120_000;
const signalListenersMax = 10_000;

/** What clients met with while nodes were replaced. */
export interface Met extends Verdict {
  sent: number;
  clients: number;
  unacknowledged: number;
  /** Sends that were not answered, or refused, and sent again. */
  failedTries: number;
  /** Sends that were answered with 503 while the database was migrated, and sent again. */
  unavailableWhileMigrating: number;
  /** Clients that were told to register again. */
  reRegistered: number;
}

/** Clients that send and listen, of which more come with every step. */
export class Traffic {
  private readonly baseUrl: string;
  private readonly realm: ChaosRealm;
  private readonly starts: QueueStarts;
  private readonly listeners: Listener[] = [];
  private readonly listening: Promise<void>[] = [];
  private readonly sends: SteadySend[] = [];
  private readonly sending: Promise<void>;
  private readonly migrated = { fromMs: 0, untilMs: 0 };
  private readonly stopListening = new AbortController();
  private readonly stopSending = new AbortController();

  constructor(baseUrl: string, realm: ChaosRealm, starts: QueueStarts) {
    this.starts = starts;
    this.baseUrl = baseUrl;
    this.realm = realm;
    for (const { signal } of [this.stopListening, this.stopSending]) {
      setMaxListeners(signalListenersMax, signal);
    }
    const onSent = (send: SteadySend) => void this.sends.push(send);
    this.sending = sendSteadily(baseUrl, realm, sendsPerSecond, this.stopSending.signal, onSent);
  }

  /** Registers more clients, waits until some sends got through, and says how many there are of both. */
  async goOn(): Promise<string> {
    const { members } = this.realm;
    const more = await Promise.all(
      members.map((member, number) => startListener(this.baseUrl, member, number, this.starts)),
    );
    this.listeners.push(...more);
    this.listening.push(...more.map((listener) => listener.listen(this.stopListening.signal)));
    const enough = this.sends.length + sendsPerStep;
    await until('sends get through', () => this.sends.length >= enough);
    return `${this.sends.length} sent, ${this.listeners.length} clients`;
  }

  get sent(): number {
    return this.sends.length;
  }

  /** Returns the longest that a send has waited for an answer, of those after the first so many. */
  slowestMsAfter(first: number): number {
    return Math.max(0, ...this.sends.slice(first).map(({ slowestAnswerMs }) => slowestAnswerMs));
  }

  /** Migrates the database meanwhile, and says how long that and the slowest send took. */
  async whileMigrating(migrate: () => Promise<void>): Promise<string> {
    const sentBefore = this.sent;
    this.migrated.fromMs = Date.now();
    await migrate();
    this.migrated.untilMs = Date.now();
    const seconds = ((this.migrated.untilMs - this.migrated.fromMs) / 1000).toFixed(1);
    return `migrated in ${seconds} s, the slowest send took ${this.slowestMsAfter(sentBefore)} ms`;
  }

  /** Ends the sends, waits until every client has heard all there is, and compares it with the log. */
  async finish(databaseUrl: string): Promise<Met> {
    this.stopSending.abort();
    await this.sending;
    const queues = this.listeners.map(({ queue }) => queue);
    const compare = async () =>
      check(queues, this.sends, await readRecordedLog(databaseUrl, this.realm.realmId));
    await until('every client has heard everything', async () => (await compare()).lost === 0).catch(
      () => {},
    );
    const verdict = await compare();
    const failed = this.sends.flatMap(({ failedTries }) => failedTries);
    const { fromMs, untilMs } = this.migrated;
    const unexpected = failed.filter(({ atMs, status }) => status !== 503 || atMs < fromMs || atMs > untilMs);
    const secondsOf = (atMs: number) => ((atMs - untilMs) / 1000).toFixed(1);
    const failures = unexpected.map(
      ({ atMs, status }) =>
        `A send was ${status === null ? 'not answered' : `answered with ${status}`}, ${secondsOf(atMs)} s after the migration.`,
    );
    this.stopListening.abort();
    await Promise.all(this.listening);
    return {
      ...verdict,
      sent: this.sends.length,
      clients: this.listeners.length,
      unacknowledged: this.sends.filter(({ messageId }) => messageId === null).length,
      missing: [...verdict.missing, ...failures],
      failedTries: unexpected.length,
      unavailableWhileMigrating: failed.length - unexpected.length,
      reRegistered: this.listeners.filter(({ reRegistered }) => reRegistered > 0).length,
    };
  }
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpMs = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > giveUpMs) throw new Error(`It did not come about that ${what}.`);
    await pause(100);
  }
}
