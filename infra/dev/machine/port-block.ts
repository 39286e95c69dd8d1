import { type Server, createServer } from 'node:net';

import { isPortFree } from './free-port.ts';

/** Ports that are claimed until they are disposed of. */
export interface ClaimedPorts extends AsyncDisposable {
  readonly ports: readonly number[];
}

/** Below the ports that `freePort` gives away. */
const ofClusters = { lowest: 10_000, highest: 15_000 };
const blockSize = 50;

/**
 * Claims ports which no other cluster on this machine takes, also while nothing listens on them: a proxy that knows a
 * port before its node is there must not find somebody else's node. Whoever listens on the first port of a block has the
 * others.
 *
 * @throws {Error} when all blocks are claimed
 */
export async function claimPorts(count: number, { lowest, highest } = ofClusters): Promise<ClaimedPorts> {
  const claims: Server[] = [];
  const ports: number[] = [];
  const blocks = Math.floor((highest - lowest) / blockSize);
  // A random start keeps clusters that start at the same time from trying the same blocks.
  const start = Math.floor(Math.random() * blocks);
  for (let tried = 0; tried < blocks && ports.length < count; tried += 1) {
    const first = lowest + ((start + tried) % blocks) * blockSize;
    const claim = await listen(first);
    if (!claim) continue;
    claims.push(claim);
    for (let port = first + 1; port < first + blockSize && ports.length < count; port += 1) {
      if (await isPortFree(port)) ports.push(port);
    }
  }
  const dispose = async () => {
    await Promise.all(claims.map((claim) => new Promise((resolve) => claim.close(resolve))));
  };
  if (ports.length < count) {
    await dispose();
    throw new Error(`There are no ${count} ports between ${lowest} and ${highest} that nobody has claimed.`);
  }
  return { ports, [Symbol.asyncDispose]: dispose };
}

/** A server on the port, which has nothing to say; null if somebody listens there. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
