import { pause } from '@parley/kit';
import { Pool } from 'undici';

import { type Rates, type RequestKind, requestKinds } from '../kinds.ts';
import { preciseNowMs } from '../recorder.ts';
import { type Ask, Asks } from './asks.ts';
import type { AskedSend, Orders } from './messages.ts';
import { openLoop } from './open-loop.ts';
import type { Person, Place } from './person.ts';

const connectionsMax = 128;
/** More are not asked for: they count as failed. */
const underwayMax = 500;
/** So many requests of patient clients wait, and no more are asked for. */
const patientMax = 4;
/** What patient clients ask again for, and how long they try. */
const againMs = 500;
const patientMs = 120_000;
const answerMsMax = 30_000;

/** Requests besides polls, of anyone. */
export interface Requests {
  /** Somebody has a message that they may mark as read. */
  remember(person: Person, messageId: number): void;
  begin(rates: Rates, startMs: number): void;
  /** Resolves when everything that was asked is answered. */
  stop(): Promise<void>;
  readonly sends: AskedSend[];
  readonly acknowledged: number;
}

interface Answer {
  status: number;
  text: string;
}

export const createRequests = (orders: Orders, place: Place): Requests => new OpenRequests(orders, place);

class OpenRequests implements Requests {
  readonly sends: AskedSend[] = [];
  acknowledged = 0;
  private readonly number: Orders['number'];
  private readonly arePatient: boolean;
  private readonly asks: Asks;
  private readonly recorder: Place['recorder'];
  private readonly pool: Pool;
  private readonly underway = new Set<Promise<void>>();
  private loops: Disposable[] = [];

  constructor(orders: Orders, { port, address, recorder }: Place) {
    this.number = orders.number;
    this.arePatient = orders.arePatient;
    this.asks = new Asks(orders);
    this.recorder = recorder;
    this.pool = new Pool(`http://127.0.0.1:${port}`, {
      connections: connectionsMax,
      localAddress: address,
      headersTimeout: answerMsMax,
      bodyTimeout: answerMsMax,
    });
  }

  remember(person: Person, messageId: number): void {
    this.asks.remember(person, messageId);
  }

  begin(rates: Rates, startMs: number): void {
    this.loops = requestKinds.map((kind) =>
      openLoop(rates[kind] ?? 0, startMs, preciseNowMs, (intendedMs) => {
        if (this.arePatient && this.underway.size >= patientMax) return;
        if (this.underway.size >= underwayMax)
          return this.recorder.fail(`${kind}: not asked, ${underwayMax} wait`);
        const acting = this.act(kind, intendedMs);
        this.underway.add(acting);
        void acting.finally(() => this.underway.delete(acting));
      }),
    );
  }

  async stop(): Promise<void> {
    for (const loop of this.loops) loop[Symbol.dispose]();
    await Promise.all(this.underway);
  }

  private async act(kind: RequestKind, intendedMs: number): Promise<void> {
    const asked = this.asks.make(kind, intendedMs);
    const send = kind === 'send' ? this.beginSend(asked, intendedMs) : null;
    try {
      let { status, text } = await this.untilAnswered(() => this.ask(asked));
      // The answer is an address at which the file is.
      if (kind === 'uploads' && status === 200) {
        const reply = text;
        ({ status, text } = await this.untilAnswered(() => this.open(asked.person, reply)));
      }
      if (send) send.slowestAnswerMs = preciseNowMs() - intendedMs;
      if (status !== 200) return this.recorder.fail(`${kind}: ${status} ${text.slice(0, 120)}`);
      this.recorder.record(kind, intendedMs);
      if (!send) return;
      send.messageId = Number((JSON.parse(text) as { id: number }).id);
      this.acknowledged += 1;
    } catch (error) {
      this.recorder.fail(
        `${kind}: ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`,
      );
    }
  }

  /** Gives a send its local id, by which it is known whether it arrived. */
  private beginSend(asked: Ask, intendedMs: number): AskedSend {
    const localId = `${this.number}.${this.sends.length + 1}`;
    const { organization } = asked.person;
    const times = { intendedMs, askedMs: preciseNowMs(), slowestAnswerMs: 0 };
    const send = { organization, localId, messageId: null, ...times };
    this.sends.push(send);
    asked.fields = { ...asked.fields, queue_id: 'load', local_id: localId };
    return send;
  }

  /**
   * Patient clients ask again while the server says that it is busy, or ends the connection. A send has the same local id
   * each time.
   */
  private async untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
    const giveUpMs = preciseNowMs() + (this.arePatient ? patientMs : 0);
    for (;;) {
      try {
        const answer = await ask();
        if (answer.status !== 503 || preciseNowMs() > giveUpMs) return answer;
      } catch (error) {
        if (preciseNowMs() > giveUpMs) throw error;
      }
      this.recorder.defer();
      await pause(againMs);
    }
  }

  private async ask({ person, method, path, fields = {} }: Ask): Promise<Answer> {
    const form = new URLSearchParams(fields).toString();
    const isGet = method === 'GET';
    const { statusCode, body } = await this.pool.request({
      method,
      path: isGet ? `/api/v1${path}?${form}` : `/api/v1${path}`,
      headers: {
        host: person.host,
        authorization: person.authorization,
        ...(!isGet && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(!isGet && { body: form }),
    });
    return { status: statusCode, text: await body.text() };
  }

  private async open({ host }: Person, reply: string): Promise<Answer> {
    const { url } = JSON.parse(reply) as { url: string };
    const { statusCode, body } = await this.pool.request({ method: 'GET', path: url, headers: { host } });
    return { status: statusCode, text: await body.text() };
  }
}
