import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, mkdtemp, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'parley-';
/** A longer path is none of a socket on every system. */
const socketPathMax = 100;
const touchEveryMs = 600_000;
const untouchedMs = 86_400_000;

/** A folder for temporary files. It is removed when it is disposed of, or by `removeLeftFolders` if its process dies before. */
export interface WorkFolder extends AsyncDisposable, Disposable {
  readonly path: string;
}

/**
 * Makes a folder for temporary files. While its process lives, a socket in it is listened to: the kernel sees to its end,
 * however the process ends, and whoever finds the folder can ask, also from another container that has the same one.
 */
export async function makeWorkFolder(purpose: string): Promise<WorkFolder> {
  const path = await mkdtemp(join(tmpdir(), `${prefix}${purpose}-`));
  const mark = await listenIn(path);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await remove(path);
      mark?.[Symbol.dispose]();
    },
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
      mark?.[Symbol.dispose]();
    },
  };
}

/**
 * Removes the work folders that processes left behind when they were killed. A folder stays if its process lives, if it is
 * another user’s, and if nothing in it says whose it is. What cannot be removed stays, too.
 */
export async function removeLeftFolders(): Promise<void> {
  const entries = await readdir(tmpdir(), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue;
    const path = join(tmpdir(), entry.name);
    if (await isLeft(path).catch(() => false)) await remove(path).catch(() => undefined);
  }
}

/** Removes a folder, and what says whose it is at last: if this is killed, somebody else can go on. */
async function remove(path: string): Promise<void> {
  for (const name of await readdir(path).catch(() => [])) {
    if (!marks.test(name)) await rm(join(path, name), { recursive: true, force: true });
  }
  await rm(path, { recursive: true, force: true });
}

/** A socket by the name of the machine: only there can one ask whether its process lives. */
const marks = /^\.held-(?<machine>[0-9a-f]{12})$/;

/** Returns a name for this machine since it was started last; containers of a machine have the same. */
async function machineName(): Promise<string> {
  const started = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  return createHash('sha256').update(started).digest('hex').slice(0, 12);
}

/** Returns undefined where no socket can be: nobody knows whether such a folder is left behind, and it stays. */
async function listenIn(folder: string): Promise<Disposable | undefined> {
  const mark = join(folder, `.held-${await machineName()}`);
  const beside = `${mark}.new`;
  if (Buffer.byteLength(beside) > socketPathMax) return undefined;
  const server = createServer((socket) => socket.on('error', () => undefined).destroy());
  try {
    await listen(server, beside);
    // Between its making and the first moment that it is listened to, a socket looks as if its process were dead.
    await rename(beside, mark);
  } catch {
    server.close();
    return undefined;
  }
  server.unref();
  // Other machines see by this that the folder is in use.
  const touching = setInterval(() => void touch(mark), touchEveryMs).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(touching);
      server.close();
    },
  };
}

const touch = async (path: string) => {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
};

const listen = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Also where a process listens for its children.
    server.listen({ path, exclusive: true }, resolve);
  });

async function isLeft(folder: string): Promise<boolean> {
  if ((await lstat(folder)).uid !== process.getuid?.()) return false;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const machine = marks.exec(entry.name)?.groups?.['machine'];
    if (machine === undefined || !entry.isSocket()) continue;
    const mark = join(folder, entry.name);
    if (machine === (await machineName())) return await isRefused(mark);
    // Another machine's, which shares the disk, or that of this machine before it was started anew.
    return Date.now() - (await stat(mark)).mtimeMs > untouchedMs;
  }
  return false;
}

/** Whether nobody listens to a socket. A process that is stopped or busy listens. */
const isRefused = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
  });
