import { hash } from 'node:crypto';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';

import { requestIdOf } from '@parley/http';

import {
  answerSecondsMax,
  arrivalSecondsMax,
  connectMsMax,
  eventsPaths,
  headerKibibytesMax,
} from '../../proxy/limits.ts';
import { refusals } from '../../proxy/refusals.ts';
import { readBody, refuse, refuseRaw } from './node-proxy-client.ts';
import { connectionsPerAddressMax } from './proxy-options.ts';

interface Pools {
  api: readonly number[];
  queue: readonly number[];
}

interface Attempt {
  port: number;
  incoming: IncomingMessage;
  body: Buffer;
  signal: AbortSignal;
}

class NodeFailed extends Error {
  readonly wasConnected: boolean;
  constructor(wasConnected: boolean) {
    super('the node failed before it answered');
    this.wasConnected = wasConnected;
  }
}

const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The proxy for machines without nginx. It routes and retries in the same way, at a fraction of the speed. */
export function createNodeProxy(pools: Pools, connectionsPerAddress = connectionsPerAddressMax): Server {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  const requestsByAddress = new Map<string, number>();
  let turn = 0;

  const server = createServer(
    {
      keepAliveTimeout: 600_000,
      headersTimeout: arrivalSecondsMax * 1000,
      maxHeaderSize: headerKibibytesMax * 1024,
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      void forward(incoming, outgoing).catch(() => outgoing.destroy());
    },
  );
  server.on('clientError', refuseRaw);
  server.on('close', () => agent.destroy());
  return server;

  /** Counts a request until it is over. False if its address has too many. */
  function count({ socket: { remoteAddress = '' } }: IncomingMessage, outgoing: ServerResponse): boolean {
    const before = requestsByAddress.get(remoteAddress) ?? 0;
    if (before >= connectionsPerAddress) return false;
    requestsByAddress.set(remoteAddress, before + 1);
    outgoing.on('close', () => {
      const left = (requestsByAddress.get(remoteAddress) ?? 1) - 1;
      if (left > 0) requestsByAddress.set(remoteAddress, left);
      else requestsByAddress.delete(remoteAddress);
    });
    return true;
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!incoming.headers.host && incoming.httpVersion === '1.1')
      return refuse(outgoing, refusals.badRequest);
    if (!count(incoming, outgoing)) return refuse(outgoing, refusals.tooManyConnections);
    const body = await readBody(incoming);
    if (!body) return refuse(outgoing, refusals.bodyTooLarge);
    // The same on each node that is asked.
    incoming.headers['x-request-id'] = requestIdOf(undefined);
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const { name, place } = poolFor(incoming);
    const pool = place === null ? inTurn(pools[name], turn++) : byPlace(pools[name], place);
    const mayRepeat = repeatable.has(incoming.method ?? '');
    // A parked poll may outlive all nodes: by the time the last one ends, the first one is back.
    const triesMax = pool.length * (mayRepeat ? 7 : 1);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const port = pool[tries % pool.length];
      if (port === undefined) break;
      try {
        // A connection that was kept open may be closing right now, so it is not used for a request that must not be
        // repeated.
        const connection = mayRepeat ? agent : false;
        const answer = await ask({ port, incoming, body, signal: gone.signal }, connection);
        outgoing.writeHead(answer.statusCode ?? 502, withoutConnection(answer.rawHeaders));
        answer.on('error', () => outgoing.destroy()).pipe(outgoing);
        return;
      } catch (error) {
        if (gone.signal.aborted) return;
        if (!(error instanceof NodeFailed) || (error.wasConnected && !mayRepeat)) break;
      }
    }
    refuse(outgoing, refusals.notReady);
  }
}

/** The pool that a request goes to, and what decides where in it; null if its nodes take turns. */
function poolFor({ method, url = '' }: IncomingMessage): { name: keyof Pools; place: string | null } {
  const [path, query] = url.split('?', 2);
  if (!eventsPaths.some((one) => one === path)) return { name: 'api', place: null };
  const queueId = new URLSearchParams(query).get('queue_id');
  if (queueId) return { name: 'queue', place: queueId.replace(/(?<=[^-])-.*/s, '') };
  // A GET without a queue registers one.
  return { name: method === 'GET' ? 'api' : 'queue', place: null };
}

const inTurn = (pool: readonly number[], turn: number): number[] => {
  const first = turn % Math.max(pool.length, 1);
  return [...pool.slice(first), ...pool.slice(0, first)];
};

/** Nodes in an order of the place's own, which stays the same for the others when one comes or goes. */
const byPlace = (pool: readonly number[], place: string): number[] => {
  const ranks = new Map(pool.map((port) => [port, hash('md5', `${place} ${port}`)]));
  return pool.toSorted((one, other) => ((ranks.get(one) ?? '') < (ranks.get(other) ?? '') ? -1 : 1));
};

/** Resolves with the head of the node's response, or rejects with NodeFailed. */
function ask({ port, incoming, body, signal }: Attempt, agent: Agent | false): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { connection: _, 'transfer-encoding': chunked, ...headers } = incoming.headers;
    const addresses = [headers['x-forwarded-for'], incoming.socket.remoteAddress];
    headers['x-forwarded-for'] = addresses.filter(Boolean).join(', ');
    if (chunked) headers['content-length'] = String(body.length);
    const { method, url: path } = incoming;
    const upstream = request({ host: '127.0.0.1', port, method, path, headers, agent, signal });
    let wasConnected = false;
    upstream.on('socket', (socket) => {
      wasConnected = !socket.connecting;
      if (wasConnected) return;
      const late = setTimeout(() => upstream.destroy(), connectMsMax);
      socket.once('connect', () => (wasConnected = true));
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(late));
    });
    upstream.setTimeout(answerSecondsMax * 1000, () => upstream.destroy());
    upstream.on('response', resolve);
    upstream.on('error', () => reject(new NodeFailed(wasConnected)));
    upstream.end(body);
  });
}

function withoutConnection(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !/^(connection|keep-alive)$/i.test(raw[index - (index % 2)] ?? ''));
}
