import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';

import {
  answerSecondsMax,
  bodyMebibytesMax,
  connectMsMax,
  eventsPath,
  refusals,
  type Refusal,
} from './refusals.ts';

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

const bodyBytesMax = bodyMebibytesMax * 1024 * 1024;
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The proxy for machines without nginx: the same routing, the same retries, a fraction of the speed. */
export function createNodeProxy(pools: Pools): Server {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  let turn = 0;

  const server = createServer(
    { keepAliveTimeout: 600_000, requireHostHeader: false },
    (incoming, outgoing) => {
      void forward(incoming, outgoing).catch(() => outgoing.destroy());
    },
  );
  server.on('clientError', refuseRaw);
  server.on('close', () => agent.destroy());
  return server;

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!incoming.headers.host && incoming.httpVersion === '1.1')
      return refuse(outgoing, refusals.badRequest);
    const body = await readBody(incoming);
    if (!body) return refuse(outgoing, refusals.bodyTooLarge);
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const pool = pools[poolFor(incoming)];
    turn += 1;
    for (let tries = 0; tries < pool.length; tries += 1) {
      const port = pool[(turn + tries) % pool.length];
      if (port === undefined) break;
      try {
        const answer = await ask({ port, incoming, body, signal: gone.signal }, agent);
        outgoing.writeHead(answer.statusCode ?? 502, withoutConnection(answer.rawHeaders));
        answer.on('error', () => outgoing.destroy()).pipe(outgoing);
        return;
      } catch (error) {
        if (gone.signal.aborted) return;
        const mayRepeat = repeatable.has(incoming.method ?? '');
        if (!(error instanceof NodeFailed) || (error.wasConnected && !mayRepeat)) break;
      }
    }
    refuse(outgoing, refusals.notReady);
  }
}

function poolFor({ method, url = '' }: IncomingMessage): keyof Pools {
  const [path, query] = url.split('?', 2);
  if (path !== eventsPath) return 'api';
  // A GET without a queue registers one.
  return method === 'GET' && !new URLSearchParams(query).get('queue_id') ? 'api' : 'queue';
}

/** The head of the node's answer, or NodeFailed. */
function ask({ port, incoming, body, signal }: Attempt, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { connection: _, 'transfer-encoding': chunked, ...headers } = incoming.headers;
    headers['x-forwarded-for'] = incoming.socket.remoteAddress ?? '';
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

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > bodyBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Left early, the connection stays, for the refusal.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withoutConnection(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !/^(connection|keep-alive)$/i.test(raw[index - (index % 2)] ?? ''));
}

function refuse(outgoing: ServerResponse, { status, body }: Refusal): void {
  outgoing.setHeader('Content-Type', 'application/json');
  if (status === 503) outgoing.setHeader('Retry-After', '1');
  // The rest of such a request is not worth reading.
  if (status === 413) outgoing.setHeader('Connection', 'close');
  outgoing.statusCode = status;
  outgoing.end(body);
}

function refuseRaw(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const { status, body } = tooLarge ? refusals.headersTooLarge : refusals.badRequest;
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
