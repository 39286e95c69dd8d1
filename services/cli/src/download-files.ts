import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { RemoteFile } from '@parley/archive';
import { pause } from '@parley/kit';
import { limits } from '@parley/protocol';
import { Agent, type Dispatcher, interceptors, request } from 'undici';

export interface DownloadOptions {
  /** The folder in which each file gets its place. */
  folder: string;
  /** The hosts that are asked, and their subdomains. Only hosts that are named exactly are asked without TLS. */
  hosts: readonly string[];
  /** A token that these hosts want; null if the addresses have their own. */
  token: string | null;
  /** How many files are downloaded at a time. */
  parallel: number;
  /** How many downloads begin in a minute. */
  perMinute: number;
  /** The time before the first retry, which doubles with each. */
  retryMs?: number;
  onFile(file: RemoteFile, outcome: DownloadOutcome): void;
}

export type DownloadOutcome = 'downloaded' | 'there already' | { failed: string };

const retriesMax = 6;
const redirectsMax = 5;
const timeouts = { connectMs: 10_000, headMs: 60_000, idleMs: 60_000, wholeMs: 30 * 60_000 };
const fileBytesMax = limits.uploadMebibytes * 1024 * 1024;

class DownloadFailed extends Error {
  override name = 'DownloadFailed';
  /** A code that is in no list of what is tried again. */
  readonly code = 'ERR_DOWNLOAD_FAILED';
}

/**
 * Downloads files into a folder, some at a time. A file that is there with the size that it should have is not asked for;
 * one that was interrupted is begun anew. A host that asks for a pause gets it. Whatever goes wrong with one file is told,
 * and the others go on.
 */
export async function downloadFiles(
  files: AsyncGenerator<RemoteFile>,
  { parallel, ...options }: DownloadOptions,
): Promise<void> {
  await mkdir(join(options.folder, 'emoji'), { recursive: true });
  await using client = createClient(options);
  const pace = createPace(options.perMinute);
  const work = async () => {
    for await (const file of eachOf(files)) {
      const outcome = await download(file, options, client.dispatcher, pace);
      options.onFile(file, outcome);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** Iterates over what others iterate over, too: one who is done does not end it for the others. */
const eachOf = <Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]: () => ({ next: () => items.next() }),
});

/** Returns what waits until the next download may begin. */
function createPace(perMinute: number): () => Promise<void> {
  const betweenMs = 60_000 / perMinute;
  let nextMs = 0;
  return async () => {
    const now = performance.now();
    nextMs = Math.max(now, nextMs + betweenMs);
    await pause(nextMs - now);
  };
}

function createClient({
  hosts,
  token,
  retryMs = 1000,
}: Pick<DownloadOptions, 'hosts' | 'token' | 'retryMs'>) {
  const agent = new Agent({
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headMs,
    bodyTimeout: timeouts.idleMs,
  });
  const dispatcher = agent.compose(
    guardHosts(hosts, token),
    interceptors.redirect({ maxRedirections: redirectsMax }),
    interceptors.retry({ maxRetries: retriesMax, minTimeout: retryMs, maxTimeout: 120_000 }),
  );
  return { dispatcher, [Symbol.asyncDispose]: async () => await agent.destroy() };
}

/** Lets requests through to the hosts that may be asked, redirected ones too, and gives them the token. */
function guardHosts(hosts: readonly string[], token: string | null): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { protocol, hostname } = new URL(String(options.origin));
    const isNamed = hosts.includes(hostname);
    const isBelow = protocol === 'https:' && hosts.some((host) => hostname.endsWith(`.${host}`));
    if (!isNamed && !isBelow) throw new DownloadFailed(`${hostname} is none of the hosts to ask (--hosts)`);
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    return dispatch(
      { ...options, headers: { ...(options.headers as Record<string, string>), ...authorization } },
      handler,
    );
  };
}

async function download(
  file: RemoteFile,
  { folder }: Pick<DownloadOptions, 'folder'>,
  dispatcher: Dispatcher,
  pace: () => Promise<void>,
): Promise<DownloadOutcome> {
  const path = join(folder, file.place);
  if (await isThere(path, file.bytes)) return 'there already';
  await pace();
  // Whoever reads the folder passes over what is hidden.
  const unfinished = join(dirname(path), `.${basename(path)}.part`);
  try {
    await fetchInto(unfinished, file, dispatcher);
    await rename(unfinished, path);
    return 'downloaded';
  } catch (error) {
    await rm(unfinished, { force: true });
    return { failed: reasonOf(error) };
  }
}

async function isThere(path: string, bytes: number | null): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && (bytes === null || found.size === bytes);
}

async function fetchInto(
  path: string,
  { url, bytes, type }: RemoteFile,
  dispatcher: Dispatcher,
): Promise<void> {
  if (!URL.canParse(url)) throw new DownloadFailed('its address is none');
  const signal = AbortSignal.timeout(timeouts.wholeMs);
  const { statusCode, headers, body } = await request(url, { dispatcher, signal });
  const answered = String(headers['content-type'] ?? '');
  const refused =
    statusCode !== 200
      ? `the host answered with status ${statusCode}`
      : answered.startsWith('text/html') && !type.startsWith('text/html')
        ? 'the host answered with a page instead: the token in its address has ended, export again or set SLACK_TOKEN'
        : null;
  if (refused !== null) {
    body.on('error', () => undefined).destroy();
    throw new DownloadFailed(refused);
  }
  const received = createCounter();
  await pipeline(body, received.stream, createWriteStream(path), { signal });
  if (bytes !== null && received.bytes() !== bytes)
    throw new DownloadFailed(`${received.bytes()} of ${bytes} bytes came`);
}

/** Counts bytes, and ends what is larger than a file that can be imported. */
function createCounter() {
  let count = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > fileBytesMax) done(new DownloadFailed(`it is larger than ${limits.uploadMebibytes} MiB`));
      else done(null, chunk);
    },
  });
  return { stream, bytes: () => count };
}

/** Returns why a download failed, without the address: there may be a token in it. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DownloadFailed) return cause.message;
  }
  const { code, name } = error as { code?: unknown; name?: unknown };
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number') return `the host answered with status ${status}`;
  return `the host did not send it (${String(code ?? name)})`;
}
