import type { Network } from '../network.ts';
import type { Place } from '../world.ts';
import { RedisState, isAfter } from './state.ts';

/** Published to all masters of a cluster, or to the one that has the channel: each has channels of its own. */
export type Published = 'message' | 'smessage';

/** The end of a client's connection at the server. */
export interface RedisSession {
  readonly channels: Set<string>;
  receive(kind: Published, channel: string, message: string): void;
  close(): void;
}

/** A reader that waits for what comes into a stream. */
interface Blocked {
  session: RedisSession;
  key: string;
  after: string;
  count: number;
  readonly answer: (streams: unknown) => void;
}

/** A server: its runs differ in their ids, and may begin with less than the one before had. */
export class RedisServer {
  readonly network: Network;
  readonly place: Place;
  state = new RedisState();
  runId: string;
  isUp = true;
  readonly sessions = new Set<RedisSession>();
  private blocked: Blocked[] = [];
  /** What was stored at some earlier moment: what a replica that is behind has. */
  private earlier = new RedisState();

  constructor(network: Network) {
    this.network = network;
    this.place = network.world.createPlace('redis');
    this.runId = network.world.uuid().replaceAll('-', '');
  }

  publish(kind: Published, channel: string, message: string): number {
    let receivers = 0;
    for (const session of this.sessions) {
      if (!session.channels.has(`${kind} ${channel}`)) continue;
      receivers += 1;
      session.receive(kind, channel, message);
    }
    return receivers;
  }

  /** Reads what is behind an id in a stream; null if nothing is. */
  private readStream(key: string, after: string, count: number): unknown {
    const stream = this.state.streams.get(key) ?? [];
    const first = stream.findIndex(({ id }) => isAfter(id, after));
    if (first === -1) return null;
    return [[key, stream.slice(first, first + count).map(({ id, fields }) => [id, fields])]];
  }

  /** As XREAD BLOCK. */
  read(blocked: Blocked, blockMs: number): void {
    const { key, after, count, answer } = blocked;
    const found = this.readStream(key, after, count);
    if (found !== null) return answer(found);
    this.blocked.push(blocked);
    this.network.world.after(this.place, blockMs, () => {
      if (!this.blocked.includes(blocked)) return;
      this.blocked = this.blocked.filter((one) => one !== blocked);
      answer(null);
    });
  }

  /** Answers those who wait for a stream. */
  wake(key: string): void {
    const woken = this.blocked.filter((one) => one.key === key);
    if (woken.length === 0) return;
    this.blocked = this.blocked.filter((one) => one.key !== key);
    for (const { after, count, answer } of woken) answer(this.readStream(key, after, count));
  }

  leave(session: RedisSession): void {
    this.sessions.delete(session);
    this.blocked = this.blocked.filter((one) => one.session !== session);
  }

  /** Remembers now and then what is stored, for whoever takes over later. */
  keepEarlierSometimes(): void {
    if (this.network.world.below(4) === 0) this.earlier = this.state.copy();
  }

  /** The server ends, and another run begins after a while with all that was stored, with less, or with nothing. */
  restart(ms: number, keeps: 'all' | 'earlier' | 'nothing'): void {
    const { world } = this.network;
    this.isUp = false;
    for (const session of this.sessions) session.close();
    this.sessions.clear();
    this.blocked = [];
    world.after(world.outside, ms, () => {
      this.runId = world.uuid().replaceAll('-', '');
      if (keeps === 'nothing') this.state = new RedisState();
      if (keeps === 'earlier') this.state = this.earlier.copy();
      this.isUp = true;
    });
  }

  /** As FLUSHALL. */
  empty(): void {
    this.state = new RedisState();
  }

  /** What is oldest in the streams goes, as if they had become too long. */
  trimStreams(kept: number): void {
    for (const stream of this.state.streams.values()) stream.splice(0, Math.max(0, stream.length - kept));
  }
}
