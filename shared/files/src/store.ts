import type { Readable } from 'node:stream';

/** Bytes to store: in memory, or in a file on this machine. */
type Source = Uint8Array | { file: string; bytes: number };

/** The first and the last byte of a range, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

interface StoredFile {
  /** The size of the whole object, whatever range was asked for. */
  bytes: number;
  body: Readable;
}

/** An object as a list of them names it. */
export interface ListedObject {
  key: string;
  bytes: number;
  storedAt: Date;
}

/** Stores objects by key. Keys are made by this server, never by a user. */
export interface FileStore {
  /** Stores the object completely or not at all. Once this resolves, every node can read the object. */
  put(key: string, source: Source, contentType: string): Promise<void>;
  /** Resolves to undefined if there is no such object. The caller must read the body to its end or destroy it. */
  open(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Removes all objects of a folder. Removing a folder that does not exist succeeds. */
  remove(folder: string): Promise<void>;
  /** Names the folders in a folder, in any order. */
  folders(folder: string): AsyncIterable<string>;
  /** Lists all objects below a folder, in any order. What is stored or removed meanwhile may be among them or not. */
  list(folder: string): AsyncIterable<ListedObject>;
}

/** Throws unless the key stays inside the store, whatever it was made of. */
export function checkKey(key: string): string {
  const isSafe = key.split('/').every((part) => /^[\w.-]+$/.test(part) && part !== '.' && part !== '..');
  if (!isSafe) throw new Error(`${JSON.stringify(key)} is not a key of a file store.`);
  return key;
}
