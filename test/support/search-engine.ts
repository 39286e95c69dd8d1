import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createLogger, systemClock } from '@parley/kit';
import { type SearchEngine, type SearchOptions, createSearchEngine } from '@parley/search';

import type { Json } from './http.ts';
import { runOnDemand } from './jobs.ts';
import { SearchIndexes } from './search-indexes.ts';

/** What a fault does with a request instead of answering it. */
type SearchFault = (request: { path: string }, response: ServerResponse) => void;

/** A search engine on this machine: one that is given, or as much of one as Parley asks for. */
export interface SearchServer extends AsyncDisposable {
  options: SearchOptions;
  /** A client of it, which forgets at once that a request has failed. */
  client(): SearchEngine;
  /** The paths of all requests, in order. */
  paths: string[];
  /** Whoever asks for a path that contains the text meets it; null ends it. */
  fault: { path: string; meet: SearchFault } | null;
  /** What is to be sent on in the place of an answer to a search. */
  distort: ((reply: Json) => Json) | null;
}

/** An OpenSearch to run the tests with, instead of what answers as it does. */
const given = process.env['OPENSEARCH_URL'];

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function answerOf(
  indexes: SearchIndexes,
  { method = 'GET', path, body }: { method: string | undefined; path: string; body: string },
): Promise<{ status: number; reply: Json }> {
  if (given === undefined) return indexes.answer(method, path, body);
  const type = body.endsWith('\n') ? 'application/x-ndjson' : 'application/json';
  const response = await fetch(`${given}${path}`, {
    method,
    ...(body !== '' && { body, headers: { 'content-type': type } }),
  });
  return { status: response.status, reply: await response.json().catch(() => null) };
}

/** Starts a search engine that has nothing. */
export async function startSearchEngine(): Promise<SearchServer> {
  const indexes = new SearchIndexes();
  const clients: SearchEngine[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      const body = await bodyOf(request);
      engine.paths.push(path);
      if (engine.fault && path.includes(engine.fault.path)) {
        engine.fault.meet({ path }, response);
        return;
      }
      const { status, reply } = await answerOf(indexes, { method: request.method, path, body });
      const isFind = path.includes('_search') && body.includes('"range"');
      const sent = isFind && engine.distort ? engine.distort(reply) : reply;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const options = {
    url: `http://127.0.0.1:${port}`,
    user: '',
    password: '',
    prefix: `t${randomBytes(4).toString('hex')}-`,
  };
  const engine: SearchServer = {
    options,
    client() {
      let nowMs = systemClock.nowMs();
      // Each look at the clock is an hour later: whoever waits after a failure has waited.
      const clock = { nowMs: () => (nowMs += 3_600_000) };
      const client = createSearchEngine(options, {
        clock,
        logger: createLogger({ role: 'test', level: 'silent' }),
      });
      clients.push(client);
      return client;
    },
    paths: [],
    fault: null,
    distort: null,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return engine;
}

/** Feeds an engine with everything that a realm has. */
export async function feedSearch({ id }: { id: number }, search: SearchEngine): Promise<void> {
  for (let isDone = false; !isDone;) {
    const { steps } = (await runOnDemand('feed-search-engine', id, { search })) as { steps: number };
    isDone = steps < 20;
  }
}
