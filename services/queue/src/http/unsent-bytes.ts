import type { Socket } from 'node:net';

import { memoryBudget, showMemory } from '@parley/kit';
import { type Tally, tally } from '@parley/telemetry';

const ended: Tally = tally(
  'parley_queue_slow_readers_total',
  'Connections that were ended because slow readers held too much memory',
);

/** What clients have not taken of their answers yet, of all connections of a process. */
export interface UnsentBytes {
  readonly bytes: number;
  readonly bytesMax: number;
  /** An answer was written. If its client has not taken it, it counts until it has, or the connection is closed. */
  written(socket: Socket): void;
  closed(socket: Socket): void;
}

/** Creates a count of it. When it is more than `bytesMax`, the connections that began first to be slow are ended. */
export function createUnsentBytes(bytesMax = memoryBudget('unsent')): UnsentBytes {
  /** The one first that has been slow for longest. */
  const bySocket = new Map<Socket, number>();
  let bytes = 0;

  function count(socket: Socket, unsent: number): void {
    bytes += unsent - (bySocket.get(socket) ?? 0);
    if (unsent > 0) bySocket.set(socket, unsent);
    else bySocket.delete(socket);
  }

  const unsentBytes: UnsentBytes = {
    get bytes() {
      return bytes;
    },
    bytesMax,
    written(socket) {
      const { writableLength, destroyed } = socket;
      // Nearly always the system has taken all of it at once.
      if (writableLength === 0 || destroyed) return;
      count(socket, writableLength);
      // It is called when all before it has been taken.
      socket.write('', () => {
        if (bySocket.has(socket)) count(socket, socket.destroyed ? 0 : socket.writableLength);
      });
      for (const slowest of bySocket.keys()) {
        if (bytes <= bytesMax) return;
        count(slowest, 0);
        ended.count += 1;
        slowest.destroy();
      }
    },
    closed: (socket) => count(socket, 0),
  };
  showMemory('unsent', unsentBytes);
  return unsentBytes;
}
