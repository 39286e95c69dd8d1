import { backoffMs, pause } from '@parley/kit';

import { RawConnection, getRequest } from '../../bench/poller.ts';
import { preciseNowMs } from '../recorder.ts';
import type { HeardByClient, QueueOrder } from './messages.ts';
import type { Person, Place } from './person.ts';
import { registerAgain } from './register-again.ts';

/** One client that polls its queue over one connection of its own. Thousands are in one process. */
export interface Poller {
  readonly heardCount: number;
  readonly isParked: boolean;
  /** Resolves when it has asked for the first time. */
  open(): Promise<void>;
  /** Gets a queue and then polls it; resolves when it has one. */
  comeBack(intendedMs: number): Promise<void>;
  /** Ends its connection, and does not come back. */
  abandon(): void;
  collect(): HeardByClient;
}

interface WireEvent {
  id: number;
  message?: { id: number; content: string };
}

interface Reply {
  events: WireEvent[];
}

const noMessage = -1;
const unlogged = -2;
/** A client whose poll failed comes back after a while, longer and longer. */
const again = { firstMs: 500, maxMs: 20_000 };
const atPattern = /load at (\d+\.\d+)/;

/** What a message says, so that whoever hears it knows how long that took. */
export const textAt = (intendedMs: number) => `load at ${intendedMs.toFixed(3)}`;

type OnMessage = (person: Person, messageId: number) => void;

export const createPoller = (order: QueueOrder, person: Person, place: Place, onMessage: OnMessage): Poller =>
  new QueuePoller(order, person, place, onMessage);

class QueuePoller implements Poller {
  isParked = false;
  private readonly person: Person;
  private readonly place: Place;
  private readonly onMessage: OnMessage;
  /** Three numbers for each event: its id, that of its message, and when it was heard. */
  private readonly heard: number[] = [];
  private queueId: QueueOrder['queueId'];
  /** The last event that was heard. */
  private cursor: number;
  private connection: RawConnection | null = null;
  private isOver = false;
  /** How often it has failed since it was answered last. */
  private failures = 0;

  constructor({ queueId }: QueueOrder, person: Person, place: Place, onMessage: OnMessage) {
    this.person = person;
    this.place = place;
    this.onMessage = onMessage;
    this.queueId = queueId;
    this.cursor = -1;
  }

  get heardCount(): number {
    return this.heard.length / 3;
  }

  async open(): Promise<void> {
    this.ask(await this.connect());
  }

  async comeBack(intendedMs: number): Promise<void> {
    const { recorder } = this.place;
    const registered = await registerAgain(await this.connect(), this.person, recorder);
    recorder.record('returns', intendedMs);
    this.queueId = registered.queueId;
    this.cursor = registered.lastEventId;
    if (this.connection) this.ask(this.connection);
    else await this.askAgain();
  }

  abandon(): void {
    this.isOver = true;
    this.connection?.close();
  }

  collect(): HeardByClient {
    return {
      organization: this.person.organization,
      userId: this.person.id,
      queueId: this.queueId ?? '',
      heard: Float64Array.from(this.heard),
    };
  }

  private async connect(): Promise<RawConnection> {
    const opened = await RawConnection.open(this.place.port, this.place.address);
    opened.onClose = () => {
      this.connection = null;
      this.isParked = false;
      if (this.isOver) return;
      this.place.recorder.fail('poll: connection closed');
      void this.askAgain();
    };
    this.connection = opened;
    return opened;
  }

  private async askAgain(): Promise<void> {
    this.failures += 1;
    await pause(backoffMs(this.failures, again));
    try {
      if (this.isOver) return;
      this.ask(this.connection ?? (await this.connect()));
    } catch (error) {
      this.place.recorder.fail(
        `poll: ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`,
      );
      void this.askAgain();
    }
  }

  private ask(over: RawConnection): void {
    this.isParked = true;
    const path = `/api/v1/events?queue_id=${this.queueId}&last_event_id=${this.cursor}`;
    over.ask(getRequest(path, this.person.authorization, this.person.host), (body, head) => {
      this.isParked = false;
      const status = head.toString('latin1', 9, 12);
      if (status !== '200') {
        this.place.recorder.fail(`poll: ${status} ${body.toString('utf8').slice(0, 120)}`);
        void this.askAgain();
        return;
      }
      this.failures = 0;
      this.take(JSON.parse(body.toString('utf8')) as Reply);
      this.ask(over);
    });
  }

  private take({ events }: Reply): void {
    const atMs = preciseNowMs();
    for (const { id, message } of events) {
      // Of the eight ids of an entry, the first three are its events'.
      const isLogged = (id + 3) % 8 < 3;
      this.heard.push(id, isLogged ? (message?.id ?? noMessage) : unlogged, atMs);
      this.cursor = Math.max(this.cursor, id);
      if (!message) continue;
      this.onMessage(this.person, message.id);
      const intendedMs = atPattern.exec(message.content)?.[1];
      if (intendedMs) this.place.recorder.record('deliveries', Number(intendedMs));
    }
  }
}
