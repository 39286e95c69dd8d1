import { rename, rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { connect } from 'node:net';

import { type Controlled, ask, obey, socketOf } from './control.ts';

/** The right to run in a folder, which nobody else has meanwhile. */
export interface FolderClaim extends AsyncDisposable {
  /** Takes commands for the cluster that runs there, on a socket in the folder that only its owner may use. */
  takeCommandsFor(cluster: Controlled): void;
}

/**
 * Claims a folder for a cluster at an address, before anything in the folder is touched. The claim ends with this
 * process, however that ends.
 *
 * @throws {Error} when another process has it
 */
export async function claimFolder(dir: string, address: string): Promise<FolderClaim> {
  const socket = socketOf(dir);
  let cluster: Controlled | undefined;
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET') outgoing.end(`at ${address} (pid ${process.pid})`);
    else void obey(incoming, outgoing, cluster);
  });
  if (!(await listen(server, socket))) {
    await removeStale(socket, dir);
    if (!(await listen(server, socket))) throw new Error(await alreadyRuns(socket, dir));
  }
  return {
    takeCommandsFor(running) {
      cluster = running;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * Listens on a socket that only its owner may use from the start. Answers false if there is one of this name already,
 * whether or not somebody listens on it.
 */
async function listen(server: Server, socket: string): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error);
    server.once('error', refuse);
    // The socket is made before this returns. A mode that is set later finds no file while another start looks at it.
    const mask = process.umask(0o177);
    server.listen(socket, () => {
      server.off('error', refuse);
      resolve(true);
    });
    process.umask(mask);
  });
}

/** Removes the socket of a process that was killed. */
async function removeStale(socket: string, dir: string): Promise<void> {
  if (await isHeard(socket)) throw new Error(await alreadyRuns(socket, dir));
  // Whoever found it stale at the same moment may have one of their own here by now: it is theirs again at once.
  const removed = `${socket}.${process.pid}`;
  await rename(socket, removed).catch(ignoreAbsence);
  if (!(await isHeard(removed))) return await rm(removed, { force: true });
  await rename(removed, socket);
  throw new Error(await alreadyRuns(socket, dir));
}

async function isHeard(socket: string): Promise<boolean> {
  const connection = connect(socket);
  return await new Promise<boolean>((resolve, reject) => {
    connection.once('connect', () => resolve(true));
    connection.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(false) : reject(error),
    );
  }).finally(() => connection.destroy());
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function alreadyRuns(socket: string, dir: string): Promise<string> {
  const where = await ask(socket, 'GET', '', AbortSignal.timeout(10_000)).catch(() => 'and does not answer');
  return (
    `Parley already runs in ${dir}, ${where}. ` +
    'Use that one, stop it with Ctrl-C, or start another beside it with PARLEY_DIR=.parley-2 PORT=10001.'
  );
}
