import { refused } from '../../read/refused.ts';

/** The collections of Rocket.Chat's database that are read. */
const collections = [
  'users',
  'rocketchat_room',
  'rocketchat_subscription',
  'rocketchat_message',
  'rocketchat_custom_emoji',
  'custom_emoji.files',
  'custom_emoji.chunks',
  'rocketchat_uploads.files',
  'rocketchat_uploads.chunks',
] as const;
export type Collection = (typeof collections)[number];

/** Collections that every database of Rocket.Chat has. */
const needed: readonly Collection[] = ['users', 'rocketchat_room', 'rocketchat_message'];

const names = new Map<string, Collection>(collections.map((name) => [name, name]));

/** Where a path of a dump lies, and what it holds. */
export interface Place {
  /** The folder of the database. */
  database: string;
  collection: Collection;
  isPacked: boolean;
}

/** Returns what a path of a dump is; undefined of what is not read. */
export function placeOf(path: string): Place | undefined {
  const [, database, name, packed] = /^(?:(.*)\/)?([^/]+)\.bson(\.gz)?$/.exec(path) ?? [];
  const collection = names.get(name ?? '');
  return collection && { database: database ?? '', collection, isPacked: packed !== undefined };
}

/** Returns the collection that is called so in a database; undefined of what is not read. */
export const collectionOf = (name: string): Collection | undefined => names.get(name);

/** Returns whether paths are those of a dump of Rocket.Chat's database. */
export function isDump(paths: Iterable<string>): boolean {
  for (const path of paths) if (placeOf(path)?.collection === 'rocketchat_message') return true;
  return false;
}

/** Collects the collections of a dump by their databases, of which one is Rocket.Chat's. */
export class Databases<File> {
  readonly #found = new Map<string, Map<Collection, File>>();

  add(database: string, collection: Collection, file: File): void {
    const files = this.#found.get(database) ?? new Map<Collection, File>();
    if (files.has(collection)) throw refused('file_twice', { path: `${database}/${collection}` });
    this.#found.set(database, files.set(collection, file));
  }

  /** @throws ArchiveRefused unless one database is there, with all that is needed */
  choose(): ReadonlyMap<Collection, File> {
    const chosen = [...this.#found].filter(([, files]) => files.has('rocketchat_message'));
    const [[name, files] = ['', new Map<Collection, File>()], ...others] = chosen;
    if (others.length > 0) {
      const databases = chosen.map(([one]) => one).join(', ');
      throw refused('several_databases', { databases });
    }
    const missing = needed.find((collection) => !files.has(collection));
    if (missing !== undefined) throw refused('no_collection', { database: name, collection: missing });
    return files;
  }
}
