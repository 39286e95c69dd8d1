import { lookup } from 'node:dns/promises';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';

import { Agent, type Dispatcher, buildConnector, request } from 'undici';

import { type AddressGuard, isPublicAddress, isWebPort } from './guard.ts';
import { type ReadBody, acceptedEncodings, readBody } from './read-body.ts';

/** How long a stranger may take. */
export interface OutboundTimeouts {
  connectMs: number;
  /** From the request to the head of the answer. */
  headMs: number;
  /** Redirects and body included. */
  wholeMs: number;
}

/** A page that takes longer than most people would wait is not worth a worker's time. */
const defaultTimeouts: OutboundTimeouts = { connectMs: 3000, headMs: 6000, wholeMs: 10_000 };

const redirectsMax = 5;
/** So that one host is not called by everybody at once, nor holds up the others. */
const connectionsPerHost = 4;
const headBytesMax = 16 * 1024;

export interface OutboundRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** How much of the answer is wanted, unpacked. */
  bytesMax: number;
  /** Whether the body is wanted at all, by the head of the answer. */
  acceptsBody?: (head: ResponseHead) => boolean;
}

export interface ResponseHead {
  /** After redirects. */
  url: string;
  status: number;
  /** Empty where there is none. */
  header(name: string): string;
}

/** The body is empty where it was not wanted. */
export interface OutboundResponse extends ResponseHead, ReadBody {}

/** Nothing was answered that could be read: the address is refused, nobody is there, or it took too long. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** HTTP to strangers. */
export interface Outbound extends AsyncDisposable {
  /**
   * Asks, and follows redirects of a GET. Fails with Unreachable. Connects to public addresses only, whatever the name
   * resolves to at that very moment, and sends nobody's cookies or credentials along.
   */
  request(wanted: OutboundRequest): Promise<OutboundResponse>;
}

interface Address {
  address: string;
  family: number;
}

export interface OutboundOptions {
  /** How strangers know us. */
  userAgent: string;
  mayConnect?: AddressGuard;
  resolve?: (hostname: string) => Promise<Address[]>;
  timeouts?: OutboundTimeouts;
}

export function createOutbound({
  userAgent,
  mayConnect = isPublicAddress,
  resolve = (hostname) => lookup(hostname, { all: true }),
  timeouts = defaultTimeouts,
}: OutboundOptions): Outbound {
  const agent = new Agent({
    connect: guardedConnect(mayConnect, resolve, timeouts.connectMs),
    connections: connectionsPerHost,
    headersTimeout: timeouts.headMs,
    bodyTimeout: timeouts.wholeMs,
    maxHeaderSize: headBytesMax,
  });

  async function ask(url: URL, wanted: OutboundRequest, signal: AbortSignal) {
    const { method = 'GET', headers, body } = wanted;
    return await request(url, {
      dispatcher: agent,
      method,
      headers: { 'user-agent': userAgent, 'accept-encoding': acceptedEncodings, ...headers },
      ...(body !== undefined && { body }),
      signal,
    });
  }

  async function follow(wanted: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    let url = readUrl(wanted.url);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const answered = await ask(url, wanted, signal);
      const head = headOf(url, answered);
      const next = wanted.method === 'POST' ? null : redirectTargetOf(head);
      if (next === null && (wanted.acceptsBody?.(head) ?? true)) {
        const body = await readBody(answered.body, head.header('content-encoding'), wanted.bytesMax);
        return { ...head, ...body };
      }
      answered.body.on('error', () => undefined).destroy();
      if (next === null) return { ...head, bytes: Buffer.alloc(0), isWhole: false };
      url = readUrl(next);
    }
    throw new Unreachable(`${wanted.url} redirects more than ${redirectsMax} times.`);
  }

  return {
    async request(wanted) {
      try {
        return await follow(wanted, AbortSignal.timeout(timeouts.wholeMs));
      } catch (error) {
        if (error instanceof Unreachable) throw error;
        throw new Unreachable(`${wanted.url} is not reached.`, { cause: error });
      }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

/** Checked where the connection is made: between a check that comes earlier and the connection a name may change. */
function guardedConnect(
  mayConnect: AddressGuard,
  resolve: (hostname: string) => Promise<Address[]>,
  timeout: number,
): buildConnector.connector {
  const refused = (what: string) => new Unreachable(`${what} is not on the public Internet.`);

  const findPublic = callbackify(async (hostname: string) => {
    const found = await resolve(hostname);
    if (!found.every(({ address }) => mayConnect(address))) throw refused(hostname);
    return found;
  });
  const guardedLookup: LookupFunction = (hostname, options, done) =>
    findPublic(hostname, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) done(error ?? refused(hostname), []);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });

  const connect = buildConnector({ timeout, lookup: guardedLookup });
  return (options, callback) => {
    // Of an address nothing is looked up.
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !mayConnect(literal)) callback(refused(literal), null);
    else connect(options, callback);
  };
}

/** An address that may be asked for. What a URL says beside the place is not sent. */
function readUrl(written: string): URL {
  if (!URL.canParse(written)) throw new Unreachable(`${JSON.stringify(written)} is no address.`);
  const url = new URL(written);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Unreachable(`${written} is not HTTP.`);
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  if (!isWebPort(port)) throw new Unreachable(`${written} is at a port where no HTTP is spoken.`);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function headOf(url: URL, { statusCode, headers }: Dispatcher.ResponseData): ResponseHead {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
  };
  return { url: url.href, status: statusCode, header };
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends on to, if it does. */
function redirectTargetOf({ url, status, header }: ResponseHead): string | null {
  const location = header('location');
  if (!redirectStatuses.has(status) || location === '') return null;
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}
