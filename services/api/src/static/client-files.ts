import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';

/** The forms in which a file may be sent, those that browsers like best first. */
export const encodings = ['br', 'gzip'] as const;

type Encoding = (typeof encodings)[number];

/** A file of the built client. */
export interface ClientFile {
  type: string;
  /** Of the plain form. */
  hash: string;
  plain: Uint8Array<ArrayBuffer>;
  compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

/** The files of a built client by their address. */
export type ClientFiles = ReadonlyMap<string, ClientFile>;

/** Where the client is built, both from source and from `dist`. */
const builtClient = new URL('../../../web/dist/client/', import.meta.url).pathname;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * Creates the files of the built client, read when they are first asked for. Who works on the client builds it anew while
 * nodes run: there, they are read again when its page is another.
 */
export function createClientFiles(isDevelopment: boolean): () => Promise<ClientFiles> {
  const remembered = new Map<number, Promise<ClientFiles>>();
  return async () => {
    const builtAt = isDevelopment ? (await stat(join(builtClient, 'index.html'))).mtimeMs : 0;
    const known = remembered.get(builtAt);
    if (known) return await known;
    remembered.clear();
    const reading = readClientFiles(builtClient);
    remembered.set(builtAt, reading);
    try {
      return await reading;
    } catch (error) {
      remembered.delete(builtAt);
      throw error;
    }
  };
}

/** Reads a built client whole. It is small; what is not of the client is left out. */
async function readClientFiles(folder: string): Promise<ClientFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && Object.hasOwn(types, extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, ClientFile>();
  for (const path of paths) files.set(`/${relative(folder, path)}`, await readClientFile(path));
  return files;
}

async function readClientFile(path: string): Promise<ClientFile> {
  const plain = new Uint8Array(await readFile(path));
  const [br, gzip] = await Promise.all([readIfThere(`${path}.br`), readIfThere(`${path}.gz`)]);
  const compressed = { ...(br && { br }), ...(gzip && { gzip }) };
  return { type: types[extname(path)] ?? '', hash: hashOf(plain), plain, compressed };
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url').slice(0, 27);

/** Returns a short text as a file of the client. */
export function textFile(type: string, text: string): ClientFile {
  const plain = new TextEncoder().encode(text);
  return { type, hash: hashOf(plain), plain, compressed: {} };
}

const readIfThere = async (path: string) => {
  const bytes = await readFile(path).catch(() => null);
  return bytes && new Uint8Array(bytes);
};
