import { lookup } from 'node:dns/promises';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';

import { Agent, type Dispatcher, buildConnector, request } from 'undici';

import { type AddressGuard, isPublicAddress, isWebPort } from './guard.ts';
import { type ReadBody, acceptedEncodings, readBody } from './read-body.ts';

/** How long an outside server may take. */
interface OutboundTimeouts {
  connectMs: number;
  /** The time from the request to the head of the response. */
  headMs: number;
  /** The time for everything, redirects and body included. */
  wholeMs: number;
}

/** The default timeouts. A page that takes longer than most people would wait is not worth a worker's time. */
const defaultTimeouts: OutboundTimeouts = { connectMs: 3000, headMs: 6000, wholeMs: 10_000 };

const redirectsMax = 5;
/** The limit keeps workers from flooding one host, and one host from delaying the others. */
const defaultConnectionsPerHost = 4;
const headBytesMax = 16 * 1024;

interface OutboundRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The most bytes of the body that are read, after decompression. */
  bytesMax: number;
  /** Decides by the head of the response whether the body is read at all. */
  acceptsBody?: (head: ResponseHead) => boolean;
}

export interface ResponseHead {
  /** The URL after redirects. */
  url: string;
  status: number;
  /** The value of a header; empty if it is absent. */
  readonly header: (name: string) => string;
}

/** A response. Its body is empty if `acceptsBody` declined it. */
interface OutboundResponse extends ResponseHead, ReadBody {}

/**
 * The error for a request without a readable response: the address is not allowed, nothing answers there, or it took
 * too long.
 */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** The error for an address that is never asked. */
export class AddressRefused extends Unreachable {
  override name = 'AddressRefused';
}

/** An HTTP client for servers that are not ours. */
export interface Outbound extends AsyncDisposable {
  /**
   * Sends a request and follows the redirects of a GET. Throws Unreachable, or AddressRefused before anything is
   * sent. It connects only to addresses that the guard admits, whatever the name resolves to at the time of the
   * connection, and sends nobody's cookies or credentials.
   */
  request(outgoing: OutboundRequest): Promise<OutboundResponse>;
}

interface Address {
  address: string;
  family: number;
}

export interface OutboundOptions {
  /** The User-Agent header of all requests. */
  userAgent: string;
  mayConnect?: AddressGuard;
  resolve?: (hostname: string) => Promise<Address[]>;
  timeouts?: OutboundTimeouts;
  connectionsPerHost?: number;
}

export function createOutbound({
  userAgent,
  mayConnect = isPublicAddress,
  resolve = (hostname) => lookup(hostname, { all: true }),
  timeouts = defaultTimeouts,
  connectionsPerHost = defaultConnectionsPerHost,
}: OutboundOptions): Outbound {
  const agent = new Agent({
    connect: guardedConnect(mayConnect, resolve, timeouts.connectMs),
    connections: connectionsPerHost,
    headersTimeout: timeouts.headMs,
    bodyTimeout: timeouts.wholeMs,
    maxHeaderSize: headBytesMax,
  });

  async function send(url: URL, outgoing: OutboundRequest, signal: AbortSignal) {
    const { method = 'GET', headers, body } = outgoing;
    return await request(url, {
      dispatcher: agent,
      method,
      headers: { 'user-agent': userAgent, 'accept-encoding': acceptedEncodings, ...headers },
      ...(body !== undefined && { body }),
      signal,
    });
  }

  async function sendWithRedirects(
    outgoing: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    let url = parseRequestUrl(outgoing.url);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const response = await send(url, outgoing, signal);
      const head = headOf(url, response);
      const next = outgoing.method === 'POST' ? null : redirectTargetOf(head);
      if (next === null && (outgoing.acceptsBody?.(head) ?? true)) {
        const body = await readBody(response.body, head.header('content-encoding'), outgoing.bytesMax);
        return { ...head, ...body };
      }
      response.body.on('error', () => undefined).destroy();
      if (next === null) return { ...head, bytes: Buffer.alloc(0), isWhole: false };
      url = parseRequestUrl(next);
    }
    throw new Unreachable(`${outgoing.url} redirects more than ${redirectsMax} times.`);
  }

  return {
    async request(outgoing) {
      try {
        return await sendWithRedirects(outgoing, AbortSignal.timeout(timeouts.wholeMs));
      } catch (error) {
        if (error instanceof Unreachable) throw error;
        throw new Unreachable(`${outgoing.url} cannot be reached.`, { cause: error });
      }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

/**
 * Checks the address when the connection is made, because a name may resolve to another address after an earlier
 * check.
 */
function guardedConnect(
  mayConnect: AddressGuard,
  resolve: (hostname: string) => Promise<Address[]>,
  timeout: number,
): buildConnector.connector {
  const notPublic = (what: string) => new AddressRefused(`${what} is not on the public Internet.`);

  const findPublic = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (!addresses.every(({ address }) => mayConnect(address))) throw notPublic(hostname);
    return addresses;
  });
  const guardedLookup: LookupFunction = (hostname, options, done) =>
    findPublic(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) done(error ?? notPublic(hostname), []);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });

  const connect = buildConnector({ timeout, lookup: guardedLookup });
  return (options, callback) => {
    // A literal address is not looked up, so it is checked here.
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !mayConnect(literal)) callback(notPublic(literal), null);
    else connect(options, callback);
  };
}

/** Parses a URL and throws AddressRefused unless it may be requested. Credentials and fragment are removed. */
function parseRequestUrl(address: string): URL {
  if (!URL.canParse(address)) throw new AddressRefused(`${JSON.stringify(address)} is not an address.`);
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AddressRefused(`${address} is not HTTP.`);
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  if (!isWebPort(port)) throw new AddressRefused(`${address} has a port that is not for HTTP.`);
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

/** The URL that a response redirects to; null if it does not redirect. */
function redirectTargetOf({ url, status, header }: ResponseHead): string | null {
  const location = header('location');
  if (!redirectStatuses.has(status) || location === '') return null;
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}
