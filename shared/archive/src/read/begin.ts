import { type Sql, isDistributed } from '@parley/db';
import type { FileStore } from '@parley/files';

import { type Bases, createNumbering } from './numbering.ts';
import { refused } from './refused.ts';
import { isBeingRemoved, removeImport } from './remove.ts';
import { drawRealm, reserveNumbers } from './reserve.ts';
import type { Survey } from './survey.ts';
import { type Writing, inTransaction } from './writing.ts';

/** An import that has begun. */
export interface ImportRow {
  id: number;
  realm_id: number;
  bases: Bases;
  /** How many files of the archive have been read. */
  files: number;
}

/** What comes before an archive's checksum. Servers that took archives as they were had nothing there. */
const trusted = 'checked:';

interface Beginning {
  sql: Sql;
  /** Finds the server that holds a realm. */
  readonly sqlOf: (realmId: number) => Promise<Sql>;
  store: FileStore;
}

/** Reserves numbers for a new import, or finds the one that has begun. */
export async function beginImport(
  { sql, sqlOf, store }: Beginning,
  survey: Survey,
  name: string,
): Promise<ImportRow> {
  const archive = `${trusted}${survey.archive}`;
  const [begun] = await sql<(ImportRow & { archive: string })[]>`
    select id, realm_id, shifts as bases, files, archive from realm_imports where name = ${name}`;
  if (begun?.archive === archive && begun.files !== isBeingRemoved) return begun;
  const isOver = begun && (begun.files === isBeingRemoved || begun.archive === survey.archive);
  if (begun && !isOver) throw refused('name_begun', { name });
  // What has been loaded without being looked at is not gone on with.
  if (begun) await removeImport({ sql: await sqlOf(begun.realm_id), store }, begun);
  // Of servers that are one database, each draws its own numbers: those of the realm are drawn on the one that holds it.
  await assertFree(sql, name);
  const drawn = (await isDistributed(sql)) ? await drawOnServer(sql, sqlOf, survey) : null;
  return await inTransaction(sql, async (tx) => {
    await assertFree(tx, name);
    const bases = drawn ?? (await reserveNumbers(tx, survey));
    return await insertImport(tx, survey, { archive, name, bases });
  });
}

async function assertFree(sql: Pick<Sql, 'unsafe'>, name: string): Promise<void> {
  const taken = await sql.unsafe(
    'select from realms where name = $1 union all select from former_realm_names where name = $1',
    [name],
  );
  if (taken.length > 0) throw refused('name_taken', { name });
}

async function drawOnServer(sql: Sql, sqlOf: Beginning['sqlOf'], survey: Survey): Promise<Bases> {
  const realmId = await drawRealm(sql);
  return await inTransaction(await sqlOf(realmId), (tx) => reserveNumbers(tx, survey, realmId));
}

async function insertImport(
  tx: Writing,
  survey: Survey,
  { archive, name, bases }: { archive: string; name: string; bases: Bases },
): Promise<ImportRow> {
  const realmId = createNumbering(survey, bases).of('realms', survey.manifest.realm.id);
  const [made] = await tx<ImportRow[]>`
    insert into realm_imports (archive, name, realm_id, shifts)
    values (${archive}, ${name}, ${realmId ?? 0}, ${JSON.stringify(bases)}::text::jsonb)
    returning id, realm_id, shifts as bases, files`;
  if (!made) throw new Error('An insert returned no row.');
  return made;
}
