import type { Engine } from '@parley/engine';
import type { FileStore } from '@parley/files';
import * as model from '@parley/model';

/** So many of each kind are named; all are counted. */
const namedMax = 1000;
const deletionsAtOnce = 500;

/** A file that a row refers to. */
interface MissingFile {
  realm_id: number;
  file: string;
}

/** A folder of files that no row refers to. */
interface Orphan {
  realm_id: number;
  folder: string;
  files: number;
  bytes: number;
  /** When the newest of its files was stored. */
  newest_at: string;
}

/** What the file store has, compared with what Postgres says of it. */
export interface FilesFound {
  files: number;
  bytes: number;
  /** Files that are not there, and those that do not have the size that they had. */
  missing: { count: number; named: MissingFile[] };
  damaged: { count: number; named: MissingFile[] };
  orphans: { count: number; bytes: number; named: Orphan[] };
}

interface Verification {
  engine: Engine;
  store: FileStore;
  /** Files without rows are looked at once they are older than this: younger ones may be getting theirs. */
  olderThan: Date;
  /** Called for each realm of which all files have been looked at, with how many there are. */
  readonly onRealm: (done: number, of: number) => void;
  /** Called with folders that no row refers to; absent to leave them. */
  readonly onOrphans?: (folders: string[]) => Promise<void>;
}

/**
 * Compares all files with the rows that refer to them, one realm after the other: in memory are the names of one realm's
 * files. Whatever is uploaded or deleted meanwhile is neither missing nor left over.
 */
export async function verifyFiles(verification: Verification): Promise<FilesFound> {
  const { engine, store, onRealm } = verification;
  const found: FilesFound = {
    files: 0,
    bytes: 0,
    missing: { count: 0, named: [] },
    damaged: { count: 0, named: [] },
    orphans: { count: 0, bytes: 0, named: [] },
  };
  const ids = new Set((await engine.sql<{ id: number }[]>`select id from realms`).map(({ id }) => id));
  for (const kind of model.files.fileKinds) {
    // Also those that are no more, or never were in this database.
    for await (const name of store.folders(kind)) if (/^\d+$/.test(name)) ids.add(Number(name));
  }
  let done = 0;
  for (const realmId of [...ids].sort((a, b) => a - b)) {
    await verifyRealm(verification, realmId, found);
    onRealm((done += 1), ids.size);
  }
  return found;
}

type Known = Map<string, Map<string, number | null>>;

/** Returns the folder of an object, by the key that places give it: kind, realm, folder, and what is in it. */
const folderOf = (key: string) => key.split('/').slice(0, 3).join('/');

async function readKnown({ engine }: Verification, realmId: number): Promise<Known> {
  const known: Known = new Map();
  const sizes = Object.values(model.users.avatarSizes);
  for await (const page of model.files.listKnownFolders(engine.db, realmId, sizes))
    for (const { folder, objects } of page) known.set(folder, new Map(objects));
  return known;
}

async function verifyRealm(verification: Verification, realmId: number, found: FilesFound): Promise<void> {
  const { store } = verification;
  // Rows first: a file is stored before its row is.
  const known = await readKnown(verification, realmId);
  const strangers = new Map<string, Orphan>();
  const damaged: string[] = [];
  for (const kind of model.files.fileKinds) {
    for await (const { key, bytes, storedAt } of store.list(`${kind}/${realmId}`)) {
      found.files += 1;
      found.bytes += bytes;
      const folder = folderOf(key);
      const objects = known.get(folder);
      if (!objects) {
        noteStranger(strangers, { realmId, folder, bytes, storedAt });
        continue;
      }
      const size = objects.get(key);
      if (size !== undefined && size !== null && size !== bytes) damaged.push(key);
      objects.delete(key);
    }
  }
  const missing = [...known.values()].flatMap((objects) => [...objects.keys()]);
  // A row that has been deleted meanwhile has taken its files along.
  const still = missing.length + damaged.length > 0 ? await readKnown(verification, realmId) : new Map();
  const isKnown = (key: string) => still.get(folderOf(key))?.has(key) === true;
  note(found.missing, realmId, missing.filter(isKnown));
  note(found.damaged, realmId, damaged.filter(isKnown));
  await settleStrangers(verification, [...strangers.values()], found);
}

function noteStranger(
  strangers: Map<string, Orphan>,
  { realmId, folder, bytes, storedAt }: { realmId: number; folder: string; bytes: number; storedAt: Date },
): void {
  const at = storedAt.toISOString();
  const stranger = strangers.get(folder) ?? { realm_id: realmId, folder, files: 0, bytes: 0, newest_at: at };
  stranger.files += 1;
  stranger.bytes += bytes;
  if (at > stranger.newest_at) stranger.newest_at = at;
  strangers.set(folder, stranger);
}

function note(list: FilesFound['missing'], realmId: number, files: readonly string[]): void {
  list.count += files.length;
  const named = files.slice(0, Math.max(0, namedMax - list.named.length));
  list.named.push(...named.map((file) => ({ realm_id: realmId, file })));
}

/** Counts the folders that nothing refers to, and nothing is going to: those that are old, and not to be deleted yet. */
async function settleStrangers(
  { engine, olderThan, onOrphans }: Verification,
  strangers: readonly Orphan[],
  { orphans }: FilesFound,
): Promise<void> {
  const old = strangers.filter(({ newest_at }) => newest_at < olderThan.toISOString());
  for (let start = 0; start < old.length; start += deletionsAtOnce) {
    const some = old.slice(start, start + deletionsAtOnce);
    const scheduled = await model.files.findScheduledDeletions(
      engine.db,
      some.map(({ folder }) => folder),
    );
    const left = some.filter(({ folder }) => !scheduled.has(folder));
    orphans.count += left.length;
    orphans.bytes += left.reduce((sum, { bytes }) => sum + bytes, 0);
    orphans.named.push(...left.slice(0, Math.max(0, namedMax - orphans.named.length)));
    if (left.length > 0) await onOrphans?.(left.map(({ folder }) => folder));
  }
}
