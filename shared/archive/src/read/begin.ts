import type { Sql } from '@parley/db';
import type { FileStore } from '@parley/files';

import { type Bases, createNumbering } from './numbering.ts';
import { refused } from './refused.ts';
import { isBeingRemoved, removeImport } from './remove.ts';
import { reserveNumbers } from './reserve.ts';
import type { Survey } from './survey.ts';
import { inTransaction } from './writing.ts';

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

/** Reserves numbers for a new import, or finds the one that has begun. */
export async function beginImport(
  { sql, store }: { sql: Sql; store: FileStore },
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
  if (begun) await removeImport({ sql, store }, begun);
  return await inTransaction(sql, async (tx) => {
    const taken = await tx`
      select from realms where name = ${name} union all select from former_realm_names where name = ${name}`;
    if (taken.length > 0) throw refused('name_taken', { name });
    const bases = await reserveNumbers(tx, survey);
    const realmId = createNumbering(survey, bases).of('realms', survey.manifest.realm.id);
    const [made] = await tx<ImportRow[]>`
      insert into realm_imports (archive, name, realm_id, shifts)
      values (${archive}, ${name}, ${realmId ?? 0}, ${JSON.stringify(bases)}::text::jsonb)
      returning id, realm_id, shifts as bases, files`;
    if (!made) throw new Error('An insert returned no row.');
    return made;
  });
}
