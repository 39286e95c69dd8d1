import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { Sql } from '@parley/db';
import type { FileStore } from '@parley/files';
import * as model from '@parley/model';

import { type Manifest, partNumbers, supersededPath } from '../manifest.ts';
import { exportedTables } from '../tables/index.ts';
import { ArchiveRefused, damaged } from './damaged.ts';
import { type ArchiveFile, readFiles, readWhole } from './entries.ts';
import { completeConversations, openRealm, renumberProfileValues } from './finish.ts';
import { type LoadContext, loadRows } from './load.ts';
import { type Row, createRewriter } from './rewrite.ts';
import { type Shifts, reserveNumbers } from './shifts.ts';
import { type Verified, verifyArchive } from './verify.ts';
import { inTransaction } from './writing.ts';

export interface ImportOptions {
  sql: Sql;
  store: FileStore;
  /** The archive, a file of this machine. */
  archive: string;
  /** The name of the realm; that which it had by default. */
  name?: string | undefined;
  now: Date;
  /** Is called now and then with how far it is, in files of the archive. */
  readonly onProgress?: (progress: {
    phase: 'verifying' | 'importing';
    files: number;
    of: number | null;
  }) => void;
}

export interface Imported {
  realmId: number;
  name: string;
  manifest: Manifest;
  /** Whether numbers are others than in the archive. Links from outside to messages then lead elsewhere. */
  isRenumbered: boolean;
}

interface ImportRow {
  id: number;
  realm_id: number;
  shifts: Shifts;
  files: number;
}

/**
 * Reads an archive into a realm of its own, a file of the archive at a time. Nobody can reach the realm before all is
 * there. An import that stopped is gone on with by importing the same archive under the same name again.
 *
 * Throws ArchiveRefused, before anything is written, for what is no archive, is damaged, or is of another version, and
 * for a name that is taken.
 */
export async function importArchive(options: ImportOptions): Promise<Imported> {
  const { sql, onProgress } = options;
  onProgress?.({ phase: 'verifying', files: 0, of: null });
  const verified = await verifyArchive(options.archive);
  const { manifest } = verified;
  const name = options.name ?? manifest.realm.name;
  const problem = model.realms.realmNameProblem(name);
  if (problem) throw new ArchiveRefused(`${name}: ${problem}`);
  const begun = await begin(sql, verified, name);
  const realm = await load(options, verified, begun);
  await completeConversations(sql, begun.realm_id);
  await inTransaction(sql, async (tx) => {
    await renumberProfileValues(tx, begun.realm_id, begun.shifts);
    await openRealm(tx, begun.realm_id, { ...realm, name });
    await tx`delete from realm_imports where id = ${begun.id}`;
  });
  const isRenumbered = Object.values(begun.shifts).some((shift) => shift !== 0);
  return { realmId: begun.realm_id, name, manifest, isRenumbered };
}

/** Reserves numbers for a new import, or finds the one that has begun. */
async function begin(sql: Sql, { manifest, archive }: Verified, name: string): Promise<ImportRow> {
  return await inTransaction(sql, async (tx) => {
    const [begun] = await tx<(ImportRow & { archive: string })[]>`
      select id, realm_id, shifts, files, archive from realm_imports where name = ${name} for update`;
    if (begun?.archive === archive) return begun;
    if (begun) throw new ArchiveRefused(`Another archive is already being imported as ${name}.`);
    const taken = await tx`
      select from realms where name = ${name} union all select from former_realm_names where name = ${name}`;
    if (taken.length > 0) throw new ArchiveRefused(`There is already an organization ${name}.`);
    const shifts = await reserveNumbers(tx, manifest);
    const realmId = manifest.realm.id + (shifts['realms'] ?? 0);
    const [made] = await tx<ImportRow[]>`
      insert into realm_imports (archive, name, realm_id, shifts)
      values (${archive}, ${name}, ${realmId}, ${JSON.stringify(shifts)}::text::jsonb)
      returning id, realm_id, shifts, files`;
    if (!made) throw new Error('An insert returned no row.');
    return made;
  });
}

/** What the realm's row says of a realm that is visible. */
type VisibleRealm = Omit<Parameters<typeof openRealm>[2], 'name'>;

async function load(
  { sql, store, archive, now, onProgress }: ImportOptions,
  { files: of }: Verified,
  begun: ImportRow,
): Promise<VisibleRealm> {
  const { id, shifts } = begun;
  const context: LoadContext = {
    shifts,
    now,
    hidden: { name: `importing:${id}`, members_conversation_id: null },
  };
  let superseded: ReadonlySet<number> = new Set();
  let realm: VisibleRealm | undefined;
  let files = 0;
  for await (const file of readFiles(archive)) {
    files += 1;
    const isDone = files <= begun.files;
    if (file.path === supersededPath) superseded = new Set(await readNumbers(file));
    const rows = rowsIn(file.path);
    if (rows?.table === 'realms')
      realm = await readRealm(file, shifts, isDone ? null : { sql, context, begun, files });
    else if (rows && !isDone) {
      const lines = linesOf(await readWhole(file));
      const kept = rows.part === partNumbers.tables ? lines : withoutMessages(lines, rows.table, superseded);
      await inTransaction(sql, async (tx) => {
        await loadRows(tx, rows.table, kept, context);
        await tx`update realm_imports set files = ${files} where id = ${id}`;
      });
    } else if (file.path.startsWith('files/') && !isDone) {
      await storeFile(store, file, shifts);
      await sql`update realm_imports set files = ${files} where id = ${id}`;
    }
    onProgress?.({ phase: 'importing', files, of });
  }
  if (!realm) throw damaged('it contains no organization');
  return realm;
}

interface RealmLoad {
  sql: Sql;
  context: LoadContext;
  begun: ImportRow;
  files: number;
}

/** Reads the realm's row, and inserts it, hidden, with the head of its log, unless that is done. */
async function readRealm(file: ArchiveFile, shifts: Shifts, todo: RealmLoad | null): Promise<VisibleRealm> {
  const lines = linesOf(await readWhole(file));
  const row = JSON.parse(lines[0] ?? '{}') as Row;
  const table = exportedTables.find(({ name }) => name === 'realms');
  if (table) createRewriter(table, shifts)?.(row);
  if (todo) {
    const { sql, context, begun, files } = todo;
    await inTransaction(sql, async (tx) => {
      await loadRows(tx, 'realms', lines, context);
      await tx`select create_log_head(${begun.realm_id})`;
      await tx`update realm_imports set files = ${files} where id = ${begun.id}`;
    });
  }
  return { membersConversationId: Number(row['members_conversation_id']) };
}

/** Which rows a file has, by its path; undefined if it has none. */
function rowsIn(path: string): { part: number; table: string } | undefined {
  const [, part, table] = /^data\/(\d+)\/(\w+)\.\d+\.ndjson$/.exec(path) ?? [];
  return part !== undefined && table !== undefined ? { part: Number(part), table } : undefined;
}

const linesOf = (content: Buffer) =>
  content
    .toString()
    .split('\n')
    .filter((line) => line !== '');

async function readNumbers(file: ArchiveFile): Promise<number[]> {
  return linesOf(await readWhole(file)).map(Number);
}

/** The rows that do not belong to messages which stand elsewhere in the archive as they were later. */
function withoutMessages(lines: string[], table: string, superseded: ReadonlySet<number>): string[] {
  if (superseded.size === 0) return lines;
  const column = table === 'messages' ? 'id' : 'message_id';
  return lines.filter((line) => !superseded.has(Number((JSON.parse(line) as Row)[column])));
}

/** Folders of the file store in which archives have files. */
const fileKey = /^files\/((?:uploads|avatars|realm-pictures|emoji)\/)(\d+)(\/.+)$/;

async function storeFile(store: FileStore, file: ArchiveFile, shifts: Shifts): Promise<void> {
  const [, folder = '', realm = '', rest = ''] = fileKey.exec(file.path) ?? [];
  if (folder === '') throw damaged(`${file.path} is not in a known folder`);
  const key = `${folder}${Number(realm) + (shifts['realms'] ?? 0)}${rest}`;
  const temporary = await mkdtemp(join(tmpdir(), 'parley-import-'));
  try {
    const path = join(temporary, 'file');
    await pipeline(file.content, createWriteStream(path));
    await store.put(key, { file: path, bytes: file.bytes }, 'application/octet-stream');
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
