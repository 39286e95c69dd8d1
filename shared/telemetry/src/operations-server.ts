import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHeapStatistics } from 'node:v8';

import type { Logger } from '@parley/kit';
import { collectDefaultMetrics } from 'prom-client';

import { measureMemory } from './memory.ts';
import { gauge, registry } from './metrics.ts';
import { measureOpenFiles } from './open-files.ts';

const node = gauge('parley_node', 'A node that runs, by its role', ['role']);
const heapLimit = gauge('parley_node_heap_limit_bytes', 'The memory in which a node keeps objects at most');

/** Serves operators: metrics, and what a role adds. No client may reach it. */
export interface OperationsServer extends AsyncDisposable {
  readonly port: number;
}

export interface OperationsOptions {
  role: string;
  /** What the role serves beside metrics, by paths. */
  routes?: Readonly<Record<string, Serve>>;
  /** Without one, nothing is served. */
  port: number | undefined;
  host: string;
  logger: Logger;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Starts the server of a process, and from then on measures the process itself. */
export async function startOperationsServer(options: OperationsOptions): Promise<OperationsServer | null> {
  const { port, host, logger, role } = options;
  if (port === undefined) return null;
  measureProcess(role);
  const routes: Readonly<Record<string, Serve>> = {
    '/health': sayAlive,
    '/metrics': createMetricsPage(),
    ...options.routes,
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const serve = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (!serve) response.writeHead(404).end();
    else {
      Promise.resolve(serve(request, response)).catch((error: unknown) => {
        logger.error({ err: error, path }, 'serving the operators’ page failed');
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    }
  }

  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  // Nothing waits for operators at the end.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Of the usual metrics, those that list what a process has open. */
const listings = ['handles', 'requests', 'resources'].flatMap((what) =>
  ['', '_total'].map((end) => `nodejs_active_${what}${end}`),
);

/** Processor time, memory, event loop and the like. */
function measureProcess(role: string): void {
  // Once: in tests, a process may have several of these servers, one after the other.
  if (registry.getSingleMetric('process_cpu_seconds_total')) return;
  collectDefaultMetrics({ register: registry });
  // To list all sockets takes as long as there are sockets, with every scrape.
  for (const name of listings) registry.removeSingleMetric(name);
  measureOpenFiles();
  measureMemory();
  node.watch((set) => set(1, { role }));
  heapLimit.watch((set) => set(getHeapStatistics().heap_size_limit));
}

/** Whoever asks here waits in no line of clients, however many of them come back at once. */
const sayAlive: Serve = (_, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(`${JSON.stringify({ result: 'success', msg: '' })}\n`);
};

/** Scrapes are answered one after the other: each reads all gauges anew. */
function createMetricsPage(): Serve {
  let previous: Promise<unknown> = Promise.resolve();
  return async (_, response) => {
    const text = previous.then(() => registry.metrics());
    previous = text.catch(() => undefined);
    response.setHeader('Content-Type', registry.contentType);
    response.end(await text);
  };
}
