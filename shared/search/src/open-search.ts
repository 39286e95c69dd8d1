import { randomBytes } from 'node:crypto';

import type { Clock, Logger } from '@parley/kit';
import { histogram, secondsBuckets } from '@parley/telemetry';
import { z } from 'zod';

import { Circuit } from './circuit.ts';
import type { SearchOptions } from './config.ts';
import {
  type CandidateQuery,
  IndexMissing,
  type SearchDocument,
  type SearchEngine,
  type Shelf,
} from './engine.ts';
import { asFilter } from './key-query.ts';
import { indexBody } from './mapping.ts';
import { Wire, type WireRequest } from './wire.ts';

const seconds = histogram(
  'parley_search_engine_seconds',
  'How long the search engine took, by what it was asked and what came of it. Searches that were not put to it are "skipped"',
  secondsBuckets,
  ['operation', 'outcome'],
);

/**
 * A search waits for it inside its snapshot, with one of the connections to Postgres. So few wait at once, and whoever comes
 * beyond is answered by Postgres at once.
 */
const findsMax = 4;
const findMsMax = 1000;
/** Writes wait until searches find what they have written: a refresh is due every second. */
const writeMsMax = 30_000;
const otherMsMax = 15_000;
const bulkBytesMax = 1024 * 1024;
/** So many documents are removed at once. */
const removedMax = 5000;
const generationsPerPage = 1000;

const Found = z.object({
  timed_out: z.literal(false),
  _shards: z.object({ failed: z.literal(0) }),
  hits: z.object({ hits: z.array(z.object({ sort: z.tuple([z.int()]) })) }),
});
const Item = z.object({ status: z.int() });
const Written = z.object({ items: z.array(z.record(z.string(), Item)) });
const Aliases = z.record(z.string(), z.unknown());
const Generations = z.object({
  aggregations: z.object({
    generations: z.object({ buckets: z.array(z.object({ key: z.object({ generation: z.string() }) })) }),
  }),
});
const Stored = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), _routing: z.string() })) }),
});

interface EngineDeps {
  clock: Clock;
  logger: Logger;
}

/** Another deployment's prefix may begin with this one's. */
const isOwn = (prefix: string) => (name: string) =>
  name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length));

/** What writes name: it can be no index that is made by writing to it. */
const writesOf = (index: string) => `${index}.writes`;

/** Creates a client of an OpenSearch, by what it has in common with Elasticsearch. It connects when it is first asked. */
export function createSearchEngine(options: SearchOptions, deps: EngineDeps): SearchEngine {
  return new OpenSearch(options, deps);
}

class OpenSearch implements SearchEngine {
  private readonly wire: Wire;
  private readonly circuit: Circuit;
  private readonly prefix: string;
  private readonly logger: Logger;
  private finds = 0;

  constructor(options: SearchOptions, { clock, logger }: EngineDeps) {
    this.wire = new Wire(options);
    this.circuit = new Circuit(clock);
    this.prefix = `${options.prefix}messages-`;
    this.logger = logger;
  }

  get isAvailable(): boolean {
    return !this.circuit.isOpen;
  }

  async find(query: CandidateQuery): Promise<readonly number[] | null> {
    if (!this.isAvailable || this.finds >= findsMax) {
      seconds.observe({ operation: 'find', outcome: 'skipped' }, 0);
      return null;
    }
    this.finds += 1;
    try {
      return await this.measured('find', () => this.ask(findRequest(query), (body) => idsIn(body, query)));
    } catch {
      return null;
    } finally {
      this.finds -= 1;
    }
  }

  async write(shelf: Shelf, documents: readonly SearchDocument[]): Promise<void> {
    for (const body of bulkBodies(shelf, documents)) {
      await this.measured('write', () =>
        this.ask(
          {
            method: 'POST',
            path: `/${writesOf(shelf.index)}/_bulk?require_alias=true&refresh=wait_for`,
            body,
            msMax: writeMsMax,
          },
          assertWritten,
        ),
      );
    }
  }

  async ensureIndex(): Promise<string> {
    const [first] = await this.listIndexes();
    if (first !== undefined) return first;
    const name = `${this.prefix}${randomBytes(6).toString('hex')}`;
    const body = JSON.stringify(indexBody(writesOf(name)));
    await this.measured('create', () =>
      this.ask({ method: 'PUT', path: `/${name}`, body, msMax: otherMsMax }, () => undefined),
    );
    // Others may have made one, too: all take the first.
    return (await this.listIndexes())[0] ?? name;
  }

  async listIndexes(): Promise<readonly string[]> {
    const path = `/_alias/${writesOf(`${this.prefix}*`)}`;
    return await this.measured('list', async () => {
      const { status, body } = await this.wire.ask({ method: 'GET', path, msMax: otherMsMax });
      if (status === 404) return [];
      assertOk(status);
      return Object.keys(Aliases.parse(body)).filter(isOwn(this.prefix)).sort();
    });
  }

  async listGenerations(index: string, after: string | null): Promise<readonly string[]> {
    const composite = {
      size: generationsPerPage,
      sources: [{ generation: { terms: { field: 'generation' } } }],
      ...(after !== null && { after: { generation: after } }),
    };
    const body = JSON.stringify({ size: 0, aggs: { generations: { composite } } });
    const path = `/${index}/_search?allow_partial_search_results=false`;
    return await this.measured('list', () =>
      this.ask({ method: 'POST', path, body, msMax: otherMsMax }, (reply) =>
        Generations.parse(reply).aggregations.generations.buckets.map(({ key }) => key.generation),
      ),
    );
  }

  async removeGeneration(index: string, generation: string): Promise<number> {
    const query = { term: { generation } };
    const asked = { size: removedMax, _source: false, stored_fields: ['_routing'], query };
    return await this.measured('remove', async () => {
      const path = `/${index}/_search?allow_partial_search_results=false`;
      const stored = await this.ask(
        { method: 'POST', path, body: JSON.stringify(asked), msMax: otherMsMax },
        (reply) => Stored.parse(reply).hits.hits,
      );
      if (stored.length === 0) return 0;
      const lines = stored.map(({ _id, _routing: routing }) => JSON.stringify({ delete: { _id, routing } }));
      const body = `${lines.join('\n')}\n`;
      await this.ask(
        { method: 'POST', path: `/${index}/_bulk?refresh=true`, body, msMax: writeMsMax },
        assertWritten,
      );
      return stored.length;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wire[Symbol.asyncDispose]();
  }

  private async ask<Result>(asked: WireRequest, read: (body: unknown) => Result): Promise<Result> {
    const { status, body } = await this.wire.ask(asked);
    if (status === 404) throw new IndexMissing('The search engine does not have the index.');
    assertOk(status);
    return read(body);
  }

  /** Measures what the engine is asked, and keeps in mind whether it answers. Errors name neither messages nor secrets. */
  private async measured<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
    const measure = seconds.startTimer({ operation });
    try {
      const result = await work();
      this.circuit.succeeded();
      measure({ outcome: 'done' });
      return result;
    } catch (error) {
      measure({ outcome: 'failed' });
      // An index that is missing says that the engine is there. Searches do without until another is filled.
      if (!(error instanceof IndexMissing) || operation === 'find') this.circuit.failed();
      const reason = reasonOf(error);
      this.logger.warn({ operation, reason }, 'The search engine failed.');
      throw error instanceof IndexMissing ? error : new Error(`The search engine failed: ${reason}`);
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'It answered with something else.';
  if (error instanceof SyntaxError) return 'It answered with no JSON.';
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'It took too long.';
  if (error instanceof IndexMissing || error instanceof Refused) return error.message;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'It did not answer.';
}

/** The engine has answered that it does not do what it is asked. */
class Refused extends Error {}

function assertOk(status: number): void {
  if (status < 200 || status > 299) throw new Refused(`It answered with status ${status}.`);
}

function findRequest(query: CandidateQuery): WireRequest {
  const { index, realmId, generation, low, high, direction, max } = query;
  const filter = [
    { term: { generation } },
    { range: { id: { gte: low, lte: high } } },
    asFilter(query.query),
  ];
  const body = {
    size: max,
    _source: false,
    stored_fields: '_none_',
    track_total_hits: false,
    timeout: `${findMsMax}ms`,
    sort: [{ id: direction }],
    query: { bool: { filter } },
  };
  const path = `/${index}/_search?allow_partial_search_results=false&routing=${realmId}`;
  return { method: 'POST', path, body: JSON.stringify(body), msMax: findMsMax };
}

/** Reads ids that are in the range, each once, in order. Anything else is no answer. */
function idsIn(body: unknown, { low, high, direction, max }: CandidateQuery): number[] {
  const ids = Found.parse(body).hits.hits.map(({ sort: [id] }) => id);
  const isInOrder = ids.every((id, at) => {
    const before = at === 0 ? null : (ids[at - 1] ?? null);
    return id >= low && id <= high && (before === null || (direction === 'desc' ? id < before : id > before));
  });
  if (!isInOrder || ids.length > max) throw new Refused('It answered with ids that it was not asked for.');
  return ids;
}

/** Returns documents as requests, none much longer than one may be. */
function* bulkBodies(
  { realmId, generation }: Shelf,
  documents: readonly SearchDocument[],
): Generator<string> {
  let lines = '';
  let bytes = 0;
  for (const { id, version, keys } of documents) {
    const what = {
      _id: `${generation}.${id}`,
      routing: String(realmId),
      version,
      version_type: 'external_gte',
    };
    const written =
      keys === null
        ? `${JSON.stringify({ delete: what })}\n`
        : `${JSON.stringify({ index: what })}\n${JSON.stringify({ generation, id, keys })}\n`;
    const length = Buffer.byteLength(written);
    if (lines !== '' && bytes + length > bulkBytesMax) {
      yield lines;
      lines = '';
      bytes = 0;
    }
    lines += written;
    bytes += length;
  }
  if (lines !== '') yield lines;
}

/** What is gone need not be deleted, and what is newer is not written over. */
const isWritten = (operation: string, status: number) =>
  (status >= 200 && status <= 299) || status === 409 || (status === 404 && operation === 'delete');

function assertWritten(body: unknown): void {
  for (const item of Written.parse(body).items) {
    for (const [operation, { status }] of Object.entries(item)) {
      if (status === 404 && operation !== 'delete') {
        throw new IndexMissing('The search engine does not have the index.');
      }
      if (!isWritten(operation, status)) throw new Refused(`It refused a document with status ${status}.`);
    }
  }
}
