import { type Following, connect, follow, isTransient } from '@parley/client';

import type { Caller } from './api-node.ts';
import { type Checker, type HeardEvent, QueueView } from './checker.ts';
import type { Cluster } from './cluster.ts';
import type { Reply } from './nodes.ts';
import type { Place, World } from './world.ts';

interface Registered {
  queue_id: string;
  last_event_id: number;
  simulated: { known: number[]; registeredAt: number; registeredMs: number };
}

const triesMax = 12;
const sendTimeoutMs = 4000;
const firstPauseMs = 100;

/** A client of an account: the loop of @parley/client follows its queue, by a network that loses and repeats. */
export class SimulatedClient {
  readonly place: Place;
  readonly caller: Caller;
  /** The queue that it follows; null while it has none. */
  view: QueueView | null = null;
  /** How many sends are under way. */
  sending = 0;
  /** Whether its next poll is sent twice. */
  isDoubling = false;
  private readonly world: World;
  private readonly cluster: Cluster;
  private readonly checker: Checker;
  private readonly connection: ReturnType<typeof connect>;
  private readonly following: Following;
  private sent = 0;

  constructor(world: World, cluster: Cluster, checker: Checker, caller: Caller, number: number) {
    this.world = world;
    this.cluster = cluster;
    this.checker = checker;
    this.caller = caller;
    this.place = world.createPlace(`client-${number}`);
    // Safe: the client asks a fetch for no more than this one does.
    const fetch = ((url: string, init: RequestInit) =>
      this.fetch(url, init)) as unknown as typeof globalThis.fetch;
    this.connection = connect({ baseUrl: '', credentials: 'none', fetch });
    world.place = this.place;
    this.following = follow(this.connection);
    world.place = world.outside;
  }

  retryNow(): void {
    this.in(() => this.following.retryNow());
  }

  /** What the client waits for goes with it, or it would keep all of its world in memory. */
  end(): void {
    this.place.isAlive = false;
    this.world.place = this.place;
    void this.following.stop();
  }

  /** Does something as the client, now. */
  private in(work: () => void): void {
    this.world.after(this.place, 0, work);
  }

  /** Sends a message, and again until it is acknowledged or refused. */
  send(to: number | null, isSpecial: boolean): void {
    this.sending += 1;
    this.sent += 1;
    const { userId } = this.caller;
    const localId = `${this.place.name}.${this.sent}`;
    this.in(() => {
      const params = {
        queue_id: 'q',
        local_id: localId,
        content: localId,
        ...(to !== null && { to }),
        ...(isSpecial && { special: true }),
      };
      void this.sendUntilAcknowledged(params, `${userId} q ${localId}`).finally(() => (this.sending -= 1));
    });
  }

  private async sendUntilAcknowledged(params: Record<string, unknown>, echo: string): Promise<void> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      try {
        const { id } = await this.connection.post<{ id: number | null }>('/messages', params, {
          timeoutMs: sendTimeoutMs,
        });
        if (id !== null)
          this.checker.acknowledged.push({ realmId: this.caller.realmId, messageId: id, echo });
        return;
      } catch (error) {
        if (!isTransient(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, firstPauseMs * (tries + 1)));
      }
    }
  }

  /** Asks for something else than messages and events, once. */
  ask(path: string, params: Record<string, unknown>): void {
    this.in(() => {
      this.connection.post(path, params, { timeoutMs: sendTimeoutMs }).catch((error: unknown) => {
        if (!isTransient(error)) this.checker.violate(`${path} was answered with ${String(error)}`);
      });
    });
  }

  private fetch(url: string, { method = 'GET', body, signal }: RequestInit): Promise<object> {
    const [, path = '', query] = /^\/api\/v1(\/\w+)(?:\?(.*))?$/.exec(url) ?? [];
    return new Promise((resolve, reject) => {
      const asked = {
        caller: this.caller,
        from: this.place,
        method,
        path,
        query: query ?? (body instanceof URLSearchParams ? body.toString() : ''),
        onLost: () => end(() => reject(new TypeError('fetch failed'))),
        onReply: (reply: Reply) =>
          end(() => {
            this.receive(path, reply);
            resolve({
              status: reply.status,
              headers: { get: () => reply.retryAfter },
              text: () => Promise.resolve(reply.body),
            });
          }),
      };
      let isOver = false;
      const stop = () => end(() => reject(signal?.reason as Error));
      const end = (settle: () => void) => {
        if (isOver) return;
        isOver = true;
        signal?.removeEventListener('abort', stop);
        for (const giveUp of asking) giveUp();
        settle();
      };
      const asking = [this.cluster.ask(asked)];
      if (this.isDoubling && path === '/events') {
        this.isDoubling = false;
        asking.push(this.cluster.ask(asked));
      }
      signal?.addEventListener('abort', stop);
    });
  }

  /** What the client is answered. */
  private receive(path: string, { status, body }: Reply): void {
    const parsed = JSON.parse(body) as { code?: string; events?: HeardEvent[] };
    const code = parsed.code ?? '';
    if (status >= 500 && code !== 'SERVER_NOT_READY')
      this.checker.violate(`${path} was answered with ${status}: ${body}`);
    if (path === '/register' && status === 200) this.begin(parsed as unknown as Registered);
    if (path !== '/events') return;
    if (status === 200 && this.view) this.checker.hear(this.view, parsed.events ?? []);
    else if (code === 'BAD_EVENT_QUEUE_ID' && this.view) {
      this.checker.tell(this.view);
      this.view = null;
    } else if (code !== 'SERVER_NOT_READY')
      this.checker.violate(`a poll was answered with ${status}: ${body}`);
  }

  private begin({ queue_id, last_event_id, simulated }: Registered): void {
    this.view = new QueueView({ id: queue_id, lastId: last_event_id, ...this.caller, ...simulated });
  }
}
