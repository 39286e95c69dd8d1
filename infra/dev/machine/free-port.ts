import { createServer } from 'node:net';

import getPort, { portNumbers } from 'get-port';

// These ports are below the range from which the kernel assigns ports of outgoing connections (32768 and up), so that
// no client's connection can occupy the port of a server that is restarting.
const lowest = 15_000;
const highest = 31_000;
const tries = 300;

export async function freePort(): Promise<number> {
  // A random start keeps clusters that start at the same time from choosing the same ports.
  const first = lowest + Math.floor(Math.random() * (highest - lowest));
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + tries) });
}

export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
