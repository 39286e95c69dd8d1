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
    this.stopListening.abort();
    await Promise.all(this.listening);
    return {
      ...verdict,
      sent: this.sends.length,
      clients: this.listeners.length,
      unacknowledged: this.sends.filter(({ messageId }) => messageId === null).length,
      failedTries: this.sends.reduce((sum, { failedTries }) => sum + failedTries, 0),
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
