import type { KeyQuery } from './key-query.ts';

/** Which messages are asked for: the nearest to one end of a range of ids. */
export interface CandidateQuery {
  index: string;
  realmId: number;
  generation: string;
  query: KeyQuery;
  low: number;
  high: number;
  /** `desc` begins at the newest. */
  direction: 'asc' | 'desc';
  max: number;
}

/** A message as the engine has it. Without keys it is to have it no more. */
export interface SearchDocument {
  id: number;
  /** The position of the log at which the message was so. What is older is not written over what is newer. */
  version: number;
  keys: readonly string[] | null;
}

/** The documents of a realm since they were last begun. */
export interface Shelf {
  index: string;
  realmId: number;
  generation: string;
}

/** The index is not there: whoever was to write to it begins anew. */
export class IndexMissing extends Error {
  override name = 'IndexMissing';
}

/** A search engine outside, which knows by what keys messages are found, and nothing of who may read them. */
export interface SearchEngine extends AsyncDisposable {
  /** Whether it is worth asking: not for a while after it has failed. */
  readonly isAvailable: boolean;
  /**
   * Returns the ids of messages that it takes for such, in the order of the direction; null at once when it is away or too
   * much is asked of it, and soon when it does not answer, or not sensibly. Never rejects.
   */
  find(query: CandidateQuery): Promise<readonly number[] | null>;
  /**
   * Writes documents, and waits until searches find them.
   *
   * @throws IndexMissing if there is no such index, and an Error that says nothing of messages if anything else is wrong
   */
  write(shelf: Shelf, documents: readonly SearchDocument[]): Promise<void>;
  /** Returns the index to write to, and makes it if there is none. */
  ensureIndex(): Promise<string>;
  /** Returns all indexes of this deployment. */
  listIndexes(): Promise<readonly string[]>;
  /** Returns some of the generations that an index has documents of, those after one in their order. */
  listGenerations(index: string, after: string | null): Promise<readonly string[]>;
  /** Removes documents of a generation, and answers with how many: at most so many that it may have to be asked again. */
  removeGeneration(index: string, generation: string): Promise<number>;
}
