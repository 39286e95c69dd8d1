import type { Json } from './http.ts';

interface Stored {
  version: number;
  routing: string;
  /** What a deleted document had: its version is remembered, so that nothing older is written over it. */
  document: { generation: string; id: number; keys: string[] } | null;
}

interface Index {
  aliases: string[];
  documents: Map<string, Stored>;
}

const missing = { status: 404, reply: { error: { type: 'index_not_found_exception' }, status: 404 } };

/**
 * As much of the API of OpenSearch as Parley asks for, as it is documented: indexes with aliases, bulk writes with versions of
 * the writer's, searches by filters in the order of a number, composite aggregations, and deletion by a query.
 */
export class SearchIndexes {
  private readonly indexes = new Map<string, Index>();

  answer(method: string, path: string, body: string): { status: number; reply: Json } {
    const url = new URL(path, 'http://localhost');
    const [, first = '', second = ''] = url.pathname.split('/').map(decodeURIComponent);
    if (first === '_alias') return this.aliases(second);
    if (method === 'PUT' && second === '') return this.create(first, JSON.parse(body));
    const isAlias = url.searchParams.get('require_alias') === 'true';
    const index = this.find(first, isAlias);
    if (second === '_bulk') return this.bulk(index, body);
    if (!index) return missing;
    if (second === '_search') return this.search(index, JSON.parse(body));
    return { status: 400, reply: { error: { type: 'illegal_argument_exception' }, status: 400 } };
  }

  private find(name: string, isAlias: boolean): Index | undefined {
    const own = isAlias ? undefined : this.indexes.get(name);
    return own ?? [...this.indexes.values()].find(({ aliases }) => aliases.includes(name));
  }

  private aliases(pattern: string): { status: number; reply: Json } {
    const like = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`);
    const found = [...this.indexes].flatMap(([name, { aliases }]) => {
      const own = aliases.filter((alias) => like.test(alias));
      return own.length > 0 ? [[name, { aliases: Object.fromEntries(own.map((alias) => [alias, {}])) }]] : [];
    });
    return { status: found.length > 0 ? 200 : 404, reply: Object.fromEntries(found) };
  }

  private create(name: string, { aliases = {} }: Json): { status: number; reply: Json } {
    if (this.indexes.has(name)) return { status: 400, reply: { error: {}, status: 400 } };
    this.indexes.set(name, { aliases: Object.keys(aliases), documents: new Map() });
    return { status: 200, reply: { acknowledged: true, index: name } };
  }

  private bulk(index: Index | undefined, body: string): { status: number; reply: Json } {
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const items: Json[] = [];
    for (let at = 0; at < lines.length; at += 1) {
      const [[operation, what] = ['', {}]] = Object.entries<Json>(lines[at]);
      const { _id: name } = what;
      const document = operation === 'index' ? lines[(at += 1)] : null;
      items.push({ [operation]: { _id: name, status: index ? write(index, what, document) : 404 } });
    }
    return { status: 200, reply: { took: 1, errors: items.length > 0, items } };
  }

  private search(index: Index, { query, size, sort, aggs }: Json): { status: number; reply: Json } {
    if (aggs) return { status: 200, reply: aggregate(index, aggs) };
    const [{ id: direction } = { id: null }] = sort ?? [];
    if (direction === null) return { status: 200, reply: list(index, query, size) };
    const ids = documentsOf(index)
      .filter((document) => query.bool.filter.every((filter: Json) => matches(document, filter)))
      .map(({ id }) => id)
      .sort((one, other) => (direction === 'desc' ? other - one : one - other));
    const hits = ids.slice(0, size).map((id) => ({ _index: 'x', _score: null, sort: [id] }));
    const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };
    return {
      status: 200,
      reply: { took: 1, timed_out: false, _shards: shards, hits: { max_score: null, hits } },
    };
  }
}

type Document = NonNullable<Stored['document']>;

const documentsOf = ({ documents }: Index): Document[] =>
  [...documents.values()].flatMap(({ document }) => document ?? []);

function write({ documents }: Index, { _id, routing, version }: Json, document: Stored['document']): number {
  const before = documents.get(_id);
  if (before && version !== undefined && version < before.version) return 409;
  documents.set(_id, { version: version ?? (before?.version ?? 0) + 1, routing, document });
  if (document) return before?.document ? 200 : 201;
  return before?.document ? 200 : 404;
}

function matches(document: Document, filter: Json): boolean {
  const { term, terms, range, bool } = filter;
  if (term?.generation !== undefined) return document.generation === term.generation;
  if (term) return document.keys.includes(term.keys);
  if (terms) return terms.keys.some((key: string) => document.keys.includes(key));
  if (range) return document.id >= range.id.gte && document.id <= range.id.lte;
  if (bool.must_not) return !bool.must_not.some((one: Json) => matches(document, one));
  if (bool.filter) return bool.filter.every((one: Json) => matches(document, one));
  return bool.should.filter((one: Json) => matches(document, one)).length >= bool.minimum_should_match;
}

/** The documents that a query finds, in no order, with what they are stored by. */
function list({ documents }: Index, query: Json, size: number): Json {
  const found = [...documents].filter(([, { document }]) => document && matches(document, query));
  const hits = found.slice(0, size).map(([_id, { routing: _routing }]) => ({ _id, _routing }));
  return { timed_out: false, hits: { hits } };
}

function aggregate(index: Index, { generations: { composite } }: Json): Json {
  const all = [...new Set(documentsOf(index).map(({ generation }) => generation))].sort();
  const after = composite.after?.generation ?? '';
  const buckets = all
    .filter((generation) => generation > after)
    .slice(0, composite.size)
    .map((generation) => ({ key: { generation }, doc_count: 1 }));
  return { timed_out: false, aggregations: { generations: { buckets } } };
}
