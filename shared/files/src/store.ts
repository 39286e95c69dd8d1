import type { Readable } from 'node:stream';

/** Bytes to be stored: in memory, or a file of this machine. */
type Source = Buffer | { file: string; bytes: number };

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

interface StoredFile {
  /** Of the whole object, whatever range was asked for. */
  bytes: number;
  body: Readable;
}

/** Where bytes lie, by key. Keys are given by this server, never by a user. */
export interface FileStore {
  /** Stores the object whole or not at all; once this resolves every node reads it. */
  put(key: string, source: Source, contentType: string): Promise<void>;
  /** Undefined when there is no such object. Whoever opens reads to the end or destroys the body. */
  open(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Removes every object of a folder. Removing what is not there is a success. */
  remove(folder: string): Promise<void>;
}

/** A key stays inside of the store, whatever it was made of. */
export function checkKey(key: string): string {
  const isSafe = key.split('/').every((part) => /^[\w.-]+$/.test(part) && part !== '.' && part !== '..');
  if (!isSafe) throw new Error(`${JSON.stringify(key)} is not a key of a file store.`);
  return key;
}
