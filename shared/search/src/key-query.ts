/** What the keys of a message have to contain: a key, all or any of some queries, or none of some keys beside others. */
export type KeyQuery =
  | string
  | { all: readonly KeyQuery[] }
  | { any: readonly KeyQuery[] }
  | { none: readonly string[] };

export const allOf = (queries: readonly KeyQuery[]): KeyQuery =>
  queries.length === 1 ? (queries[0] ?? '') : { all: queries };
export const anyOf = (queries: readonly KeyQuery[]): KeyQuery =>
  queries.length === 1 ? (queries[0] ?? '') : { any: queries };

/**
 * Returns queries all of which hold where one does. An index of Postgres goes from one to the other, to the next message that
 * each may have; in a single query it would look at each message that has any of the rarest keys. Keys that must not be
 * there stay beside others, or the index would look at all messages for them.
 */
export function conjunctsOf(query: KeyQuery): KeyQuery[] {
  const parts = partsOf(query);
  const [last, ...rest] = parts.filter((part) => !excludes(part)).toReversed();
  return last === undefined ? [query] : [...rest.toReversed(), allOf([last, ...parts.filter(excludes)])];
}

const partsOf = (query: KeyQuery): KeyQuery[] =>
  typeof query !== 'string' && 'all' in query ? query.all.flatMap(partsOf) : [query];

function excludes(query: KeyQuery): boolean {
  if (typeof query === 'string') return false;
  if ('none' in query) return true;
  return ('all' in query ? query.all : query.any).some(excludes);
}

/** Returns a query as Postgres reads it. Keys are letters, digits, dots and a tilde, so nothing in them means anything else. */
export function asTsquery(query: KeyQuery): string {
  if (typeof query === 'string') return `'${query}'`;
  if ('none' in query) return `!(${query.none.map(asTsquery).join(' | ')})`;
  const isAll = 'all' in query;
  return `(${(isAll ? query.all : query.any).map(asTsquery).join(isAll ? ' & ' : ' | ')})`;
}

/** Returns a query as OpenSearch reads it, without scores. */
export function asFilter(query: KeyQuery): object {
  if (typeof query === 'string') return { term: { keys: query } };
  if ('all' in query) return { bool: { filter: query.all.map(asFilter) } };
  if ('none' in query) return { bool: { must_not: [{ terms: { keys: query.none } }] } };
  const keys = query.any.filter((one) => typeof one === 'string');
  const others = query.any.filter((one) => typeof one !== 'string');
  const terms = { terms: { keys } };
  if (others.length === 0) return terms;
  const should = [...(keys.length > 0 ? [terms] : []), ...others.map(asFilter)];
  return { bool: { should, minimum_should_match: 1 } };
}
