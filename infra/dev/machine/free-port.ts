import { createServer } from 'node:net';

import getPort, { portNumbers } from 'get-port';

// Below the range the kernel draws outgoing ports from (32768 and up): a client's connection can not sit on
// the port of a server that is just restarting.
const lowest = 15_000;
const highest = 31_000;
const tries = 300;

export async function freePort(): Promise<number> {
  // A random beginning keeps clusters that start side by side apart.
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
