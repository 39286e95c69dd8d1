import type { Sql, Tx } from '@parley/db';
import type { FileStore } from '@parley/files';
import { removeLeftFolders } from '@parley/kit';
import * as model from '@parley/model';

import { inSmallHeap } from '../heap.ts';
import type { Manifest } from '../manifest.ts';
import { analyzeTables } from './analyze-tables.ts';
import { type ImportRow, beginImport } from './begin.ts';
import { type CheckedRealm, checkArchive } from './check.ts';
import { completeConversations, openRealm } from './finish.ts';
import { loadArchive } from './load-archive.ts';
import { createNumbering } from './numbering.ts';
import { recordArchive, recordKeys } from './record-keys.ts';
import { ArchiveRefused, refused, refusedByDatabase } from './refused.ts';
import { removeImport } from './remove.ts';
import { renderAll } from './render.ts';
import { Renderer } from './renderer.ts';
import { assertConsistent } from './settle.ts';
import { type Survey, surveyArchive } from './survey.ts';
import { verifyArchive } from './verify.ts';
import { inTransaction } from './writing.ts';

export interface ImportOptions {
  sql: Sql;
  /** The same database, for what the API reads with. */
  db: Tx;
  /** Finds the server that holds a realm; where there is one, it is that one. */
  readonly serverOf?: (realmId: number) => Promise<{ sql: Sql; db: Tx }>;
  site: model.realms.Site;
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
  /** Accounts that had rights which only an operator gives, and have them no longer. */
  withRights: number;
}

/**
 * Reads an archive into a realm of its own, some rows at a time. Nothing that the archive says is believed: each row is
 * checked as the API checks what it is sent, refers to others of the archive alone, and gets HTML that is made here. Nobody
 * can reach the realm before all is there. An import that stopped is gone on with by importing the same archive under the
 * same name again; of one that is refused nothing is left.
 *
 * @throws ArchiveRefused for what is no archive, is damaged, is of another version, or holds what the server would not have
 * written; and for a name that is taken
 */
export const importArchive = (options: ImportOptions): Promise<Imported> =>
  inSmallHeap(() => importWhole(options));

async function importWhole(options: ImportOptions): Promise<Imported> {
  await removeLeftFolders();
  options.onProgress?.({ phase: 'verifying', files: 0, of: null });
  using survey = await surveyArchive(options.archive, await verifyArchive(options.archive));
  const { manifest } = survey;
  const name = options.name ?? manifest.realm.name;
  const problem = model.realms.realmNameProblem(name);
  if (problem) throw refused('name_refused', { name, reason: problem });
  const checked = await checkArchive(options.archive, survey);
  const { sql, db, serverOf = () => Promise.resolve({ sql, db }), store } = options;
  const sqlOf = async (realmId: number) => (await serverOf(realmId)).sql;
  const begun = await beginImport({ sql, sqlOf, store }, survey, name);
  const server = await serverOf(begun.realm_id);
  try {
    await fill({ ...options, ...server }, survey, checked, begun, name);
  } catch (error) {
    const refusal = refusedByDatabase(error, 'realms');
    if (refusal instanceof ArchiveRefused) await removeImport({ sql: server.sql, store }, begun);
    throw refusal;
  }
  const isRenumbered = Object.values(begun.bases).some((base) => base !== null);
  return { realmId: begun.realm_id, name, manifest, isRenumbered, withRights: checked.withRights };
}

async function fill(
  { sql, db, site, store, archive, now, onProgress }: ImportOptions,
  survey: Survey,
  checked: CheckedRealm,
  begun: ImportRow,
  name: string,
): Promise<void> {
  const { realm_id: realmId, bases } = begun;
  const numbering = createNumbering(survey, bases);
  const membersConversationId = numbering.of('conversations', checked.membersConversationId) ?? null;
  const realm = model.realms.realmAt({ id: realmId, name, membersConversationId }, site);
  if (!realm) throw refused('no_members');
  const renderer = new Renderer(db, realm);
  await loadArchive({ sql, store, archive, now, onProgress, survey, numbering, renderer }, begun);
  await analyzeTables(sql, survey);
  const [first, last] = numbering.span('messages');
  await assertConsistent(sql, { realmId, first, last });
  await renderAll(sql, renderer, numbering, realmId);
  await completeConversations(sql, realmId);
  await recordKeys(sql, realmId);
  await inTransaction(sql, async (tx) => {
    await recordArchive(tx, realmId, survey.archive, last);
    await openRealm(tx, realmId, { ...realm, isActive: checked.isActive });
    await tx`delete from realm_imports where id = ${begun.id}`;
  });
}
