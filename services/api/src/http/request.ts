import type { HttpBindings } from '@hono/node-server';
import { drain, readBody, readForm } from '@parley/http';
import { type Caller, FairQueue } from '@parley/kit';
import { limits, notReady } from '@parley/protocol';
import type { Context } from 'hono';

import type { Sources } from './parameters.ts';
import { type Received, type ReceivedFile, type UploadLimit, receive } from './receive.ts';

/** The parameters and files of a request. Parameters come from the path, the form body and the query string. */
export interface ReadRequest extends AsyncDisposable {
  sources: Sources;
  /** The names of all parameters in body and query. */
  names: Set<string>;
  files: ReceivedFile[];
  /** The body of a request whose endpoint takes it as it is, with all headers; null of any other. */
  delivery: RawDelivery | null;
}

export interface RawDelivery {
  bytes: Uint8Array;
  /** Path and query as they were asked for. */
  target: string;
  contentType: string;
  readonly header: (name: string) => string | undefined;
}

/** What an endpoint takes: a file, a body that it reads itself, long parameters. */
interface Taken {
  upload: UploadLimit | null;
  takesBody: boolean;
  isLong: boolean;
}

const usual: Taken = { upload: null, takesBody: false, isLong: false };

/** The query string of an address, which may have a fragment. */
const queryOf = (url: string): string => (url.includes('?') ? new URL(url).search.slice(1) : '');

/**
 * Reads a request. Its files exist until it is disposed of.
 *
 * @throws BAD_REQUEST, and SERVER_NOT_READY when too many long bodies of the sender wait
 */
export async function readRequest(
  c: Context,
  sender: Caller,
  { upload, takesBody, isLong }: Taken = usual,
): Promise<ReadRequest> {
  const bytesMax = isLong ? limits.longBodyBytes : limits.bodyBytes;
  const path = c.req.param() as Record<string, string | undefined>;
  const query = readForm(queryOf(c.req.url));
  if (takesBody) {
    return {
      files: [],
      [Symbol.asyncDispose]: nothing,
      sources: (name) => path[name] ?? query.get(name) ?? undefined,
      names: new Set(),
      delivery: await receiveDelivery(c, sender, bytesMax),
    };
  }
  const received = await receiveBody(c, sender, { bytesMax, upload });
  const { fields: body, files } = received;
  return {
    files,
    delivery: null,
    [Symbol.asyncDispose]: () => received[Symbol.asyncDispose](),
    sources: (name) => path[name] ?? body.get(name) ?? query.get(name) ?? undefined,
    names: new Set([...body.keys(), ...query.keys()]),
  };
}

async function receiveDelivery(c: Context, sender: Caller, bytesMax: number): Promise<RawDelivery> {
  return {
    bytes: await receiveWhole(c, sender, bytesMax, (body) => body),
    target: (c.env as HttpBindings).incoming.url ?? '',
    contentType: c.req.header('content-type') ?? '',
    header: (name) => c.req.header(name),
  };
}

const nothing = () => Promise.resolve();
const noFiles: UploadLimit = { mebibytesMax: 0, tooLarge: 'The request is too large.' };
const bodyMsMax = 20_000;

/** Of a sender, one long body at a time arrives, is in memory and is parsed, which takes some milliseconds. */
const longBodies = new FairQueue({
  atOnce: { all: 1000, ofCaller: 1 },
  waitingMax: { all: 1000, ofCaller: 50 },
});
const longBytes = 64 * 1024;

async function receiveWhole<Parsed>(
  c: Context,
  sender: Caller,
  bytesMax: number,
  parse: (body: Buffer) => Parsed,
): Promise<Parsed> {
  const { incoming } = c.env as HttpBindings;
  const receive = async () => {
    try {
      return parse(await readBody(incoming, { bytesMax, msMax: bodyMsMax }));
    } catch (error) {
      // What is left of a body that was refused is read in its sender's turn as well.
      await drain(incoming);
      throw error;
    }
  };
  // Without a length, it may become long.
  if (Number(c.req.header('content-length') ?? Infinity) <= longBytes) return await receive();
  if (longBodies.isFull(sender)) throw notReady('bodies');
  return await longBodies.run(sender, receive);
}

interface BodyLimits {
  /** Bytes of the parameters. */
  bytesMax: number;
  upload: UploadLimit | null;
}

async function receiveBody(c: Context, sender: Caller, { bytesMax, upload }: BodyLimits): Promise<Received> {
  const without = (fields: URLSearchParams) => ({ fields, files: [], [Symbol.asyncDispose]: nothing });
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return without(new URLSearchParams());
  const { incoming } = c.env as HttpBindings;
  const type = c.req.header('content-type') ?? '';
  if (type.toLowerCase().startsWith('multipart/form-data')) {
    return await receive(incoming, type, { ...(upload ?? noFiles), fieldBytesMax: bytesMax });
  }
  return without(await receiveWhole(c, sender, bytesMax, readForm));
}

/** Returns the name of the calling program: the `client` parameter, or else the product in its User-Agent. */
export function clientName(sources: Sources, userAgent: string | undefined): string {
  const product = /^[^\s/]+/.exec(userAgent ?? '')?.[0];
  const name = (sources('client') ?? product ?? 'Unspecified').replaceAll(/\p{Cc}/gu, '');
  return [...name].slice(0, limits.clientNameLength).join('') || 'Unspecified';
}
