export { searchConfig, type SearchOptions, searchOptions } from './config.ts';
export {
  type CandidateQuery,
  IndexMissing,
  type SearchDocument,
  type SearchEngine,
  type Shelf,
} from './engine.ts';
export { type KeyQuery, allOf, anyOf, asTsquery, conjunctsOf } from './key-query.ts';
export { createSearchEngine } from './open-search.ts';
