import { backoffMs, pause } from '@parley/kit';
import { ID_STEP, unloggedIdOffset } from '@parley/protocol';

import { RawConnection, getRequest } from '../../bench/poller.ts';
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

export function createPoller(
  order: QueueOrder,
  person: Person,
  { port, address, recorder }: Place,
  onMessage: (person: Person, messageId: number) => void,
): Poller {
  const heard: number[] = [];
  let { queueId, registeredAt } = order;
  let cursor = registeredAt * ID_STEP;
  let connection: RawConnection | null = null;
  let isParked = false;
  let isOver = false;
  let failures = 0;

  async function connect(): Promise<RawConnection> {
    const opened = await RawConnection.open(port, address);
    opened.onClose = () => {
      connection = null;
      isParked = false;
      if (isOver) return;
      recorder.fail('poll: connection closed');
      void askAgain();
    };
    connection = opened;
    return opened;
  }

  async function askAgain(): Promise<void> {
    failures += 1;
    await pause(backoffMs(failures, again));
    try {
      if (isOver) return;
      ask(connection ?? (await connect()));
    } catch (error) {
      recorder.fail(
        `poll: ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`,
      );
      void askAgain();
    }
  }

  function ask(over: RawConnection): void {
    isParked = true;
    const path = `/api/v1/events?queue_id=${queueId}&last_event_id=${cursor}`;
    over.ask(getRequest(path, person.authorization, person.host), (body, head) => {
      isParked = false;
      const status = head.toString('latin1', 9, 12);
      if (status !== '200') {
        recorder.fail(`poll: ${status} ${body.toString('utf8').slice(0, 120)}`);
        void askAgain();
        return;
      }
      failures = 0;
      take(JSON.parse(body.toString('utf8')) as Reply);
      ask(over);
    });
  }

  function take({ events }: Reply): void {
    const atMs = Date.now();
    for (const { id, message } of events) {
      const isLogged = id % ID_STEP < unloggedIdOffset;
      heard.push(id, isLogged ? (message?.id ?? noMessage) : unlogged, atMs);
      cursor = Math.max(cursor, id);
      if (!message) continue;
      onMessage(person, message.id);
      const intendedMs = atPattern.exec(message.content)?.[1];
      if (intendedMs) recorder.record('deliveries', Number(intendedMs));
    }
  }

  return {
    get heardCount() {
      return heard.length / 3;
    },
    get isParked() {
      return isParked;
    },
    async open() {
      ask(await connect());
    },
    async comeBack(intendedMs) {
      const registered = await registerAgain(await connect(), person, recorder);
      recorder.record('returns', intendedMs);
      queueId = registered.queueId;
      registeredAt = registered.registeredAt;
      cursor = registered.lastEventId;
      if (connection) ask(connection);
      else await askAgain();
    },
    abandon() {
      isOver = true;
      connection?.close();
    },
    collect: () => ({
      organization: person.organization,
      userId: person.id,
      registeredAt,
      heard: Float64Array.from(heard),
    }),
  };
}
