import type { Logger } from '@parley/kit';
import { type Redis, partitionOf } from '@parley/redis';

import type { CarriedRun } from './carried-run.ts';
import { readPartition } from './read-partition.ts';

interface FollowedStreamsDeps {
  /** Opens a connection that may wait inside Redis. */
  connectRedis: () => Redis;
  logger: Logger;
  partitions: number;
  readonly onCarried: (runs: CarriedRun[]) => void;
  /** Receives what a stream held before reading began, the newest first, and the realms of it that were looked at. */
  readonly onFound: (runs: CarriedRun[], seen: Set<number>) => void;
}

interface Stream {
  isUp: boolean;
  /** How many realms it carries that are followed. */
  realms: number;
  readonly stopping: AbortController;
  /** Resolves when it is not read any more. */
  done: Promise<void>;
}

/** The streams that carry a realm which is followed: these are read, and no others. */
export class FollowedStreams implements AsyncDisposable {
  private readonly deps: FollowedStreamsDeps;
  private readonly streams = new Map<number, Stream>();
  /** Resolves when the streams that are not read any more are closed. */
  private readonly closing = new Set<Promise<void>>();

  constructor(deps: FollowedStreamsDeps) {
    this.deps = deps;
  }

  /** By partition. */
  get byPartition(): ReadonlyMap<number, { readonly isUp: boolean }> {
    return this.streams;
  }

  get areUp(): boolean {
    for (const { isUp } of this.streams.values()) if (!isUp) return false;
    return true;
  }

  /** A realm is followed. */
  join(realmId: number): void {
    const partition = partitionOf(realmId, this.deps.partitions);
    const read = this.streams.get(partition);
    if (read) {
      read.realms += 1;
      return;
    }
    const { connectRedis, logger, onCarried, onFound } = this.deps;
    const stopping = new AbortController();
    const stream: Stream = { isUp: false, realms: 1, stopping, done: Promise.resolve() };
    this.streams.set(partition, stream);
    const seen = new Set<number>();
    stream.done = readPartition({
      partition,
      connectRedis,
      logger,
      signal: stopping.signal,
      onCarried,
      onFound: (runs) => onFound(runs, seen),
      onState(isUp) {
        stream.isUp = isUp;
      },
    });
  }

  /** A realm is not followed any more. */
  leave(realmId: number): void {
    const partition = partitionOf(realmId, this.deps.partitions);
    const stream = this.streams.get(partition);
    if (!stream) return;
    stream.realms -= 1;
    if (stream.realms > 0) return;
    this.streams.delete(partition);
    stream.stopping.abort();
    const closed = stream.done.finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }

  /** Resolves when those are closed that no followed realm needs. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.closing);
  }
}
