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

/** Why nobody can listen on a port, as an error code of the system; undefined for a free one. */
async function whyNoPort(port: number): Promise<string | undefined> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(undefined)));
  });
}

export const isPortFree = async (port: number): Promise<boolean> => (await whyNoPort(port)) === undefined;

/** Throws an error that says what to do unless somebody can listen on this port. */
export async function assertPortFree(port: number): Promise<void> {
  const why = await whyNoPort(port);
  if (why === undefined) return;
  const other = await getPort({ host: '127.0.0.1', port: portNumbers(10_001, 10_099) });
  if (why === 'EACCES')
    throw new Error(`Only root may listen on port ${port}. Choose another with PORT=${other}.`);
  throw new Error(
    `Another program listens on port ${port} (${why}). Stop it, or choose another port with PORT=${other}.`,
  );
}
