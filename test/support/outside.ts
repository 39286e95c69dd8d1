import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Outbound, type OutboundOptions, createOutbound } from '@parley/worker';

export type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** Strangers on the Internet: one small server that answers for every name, and a client that may reach it. */
export interface Outside extends AsyncDisposable {
  /** The address of a path, under whatever name. */
  urlOf(path: string, host?: string): string;
  /** Puts a page at a path, or another one in its place; answers with its address. */
  serve(path: string, page: Page): string;
  /** What it was asked for, in order: names with paths. */
  asked: string[];
  outbound: Outbound;
  /** Another client, which finds every name here, and may connect to nothing else, unless it is told otherwise. */
  connect(differing?: Partial<OutboundOptions>): Outbound;
}

const here = '127.0.0.1';

/** Strangers of tests may be as late as the machine is busy, unless a test is about those who are late. */
export const patient = { connectMs: 60_000, headMs: 60_000, wholeMs: 60_000 };

export async function startOutside(): Promise<Outside> {
  const pages = new Map<string, Page>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://outside');
    asked.push(`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`);
    const page = pages.get(pathname);
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '0.0.0.0' }, resolve));
  const { port } = server.address() as AddressInfo;

  const urlOf = (path: string, host = 'pages.example') => `http://${host}:${port}${path}`;
  const clients: Outbound[] = [];
  const connect = (differing: Partial<OutboundOptions> = {}) => {
    const client = createOutbound({
      userAgent: 'Parley (+http://localhost:9991)',
      mayConnect: (address) => address === here,
      resolve: () => Promise.resolve([{ address: here, family: 4 }]),
      timeouts: patient,
      ...differing,
    });
    clients.push(client);
    return client;
  };
  return {
    urlOf,
    serve(path, page) {
      pages.set(path, page);
      return urlOf(path);
    },
    asked,
    outbound: connect(),
    connect,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page with this text, as HTML unless it is said otherwise. */
export const pageOf =
  (body: string | Buffer, headers: Record<string, string> = {}): Page =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
  };
