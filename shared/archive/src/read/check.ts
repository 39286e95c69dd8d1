import { exportedTables } from '../tables/index.ts';
import { readFiles } from './entries.ts';
import { memberOf } from './members.ts';
import { namedFiles } from './named-files.ts';
import { createNumbering } from './numbering.ts';
import { compareFiles, createPathSums } from './path-sums.ts';
import { readRows } from './read-rows.ts';
import { refused } from './refused.ts';
import { type Resolver, createResolver } from './resolve.ts';
import { refusedRow } from './row.ts';
import { type Survey, storedPath, tableOf } from './survey.ts';

/** What an archive says of its organization. */
export interface CheckedRealm {
  /** The conversation of its members, as the archive numbers it. */
  membersConversationId: number;
  isActive: boolean;
  /** Accounts that had rights which only an operator gives. */
  withRights: number;
}

const rights = ['can_create_users', 'can_change_user_emails', 'can_forge_sender'];

/**
 * Reads an archive again and resolves every reference of every row inside it, and every file. Rows that are left out for
 * what they refer to lose their ids in the survey.
 *
 * @throws ArchiveRefused for a reference that leads out of the archive, and for a file that no row names
 */
export async function checkArchive(archive: string, survey: Survey): Promise<CheckedRealm> {
  const { superseded, manifest, stored, ids } = survey;
  const numbering = createNumbering(survey, {});
  const resolvers = new Map<string, Resolver>(
    exportedTables.map((table) => [table.name, createResolver(table, { survey, numbering })]),
  );
  const named = createPathSums();
  let realm: CheckedRealm | undefined;
  let withRights = 0;
  for await (const file of readFiles(archive)) {
    const member = memberOf(file.path);
    if (member.kind !== 'rows') continue;
    const { table } = tableOf(member.table);
    const resolve = resolvers.get(table.name);
    for await (const rows of readRows(file, table, member.part, superseded)) {
      for (const row of rows) {
        if (resolve?.(row) === null && table.draws !== undefined) {
          ids.get(table.draws)?.remove(Number(row[table.drawnIn ?? 'id']));
        }
        for (const { key, bytes } of namedFiles(table.name, row, manifest.realm.id)) {
          const [folder = '', realmId, ...rest] = key.split('/');
          if (Number(realmId) !== manifest.realm.id) throw refusedRow(table.name);
          named.add(storedPath({ folder, rest: rest.join('/') }, bytes));
        }
        if (table.name === 'users' && rights.some((right) => row[right] === true)) withRights += 1;
        if (table.name === 'realms') realm = realmOf(row);
      }
    }
  }
  const problem = compareFiles(stored, named);
  if (problem !== null) {
    throw refused('file_unnamed');
  }
  if (!realm) throw refused('no_organization');
  return { ...realm, withRights };
}

const realmOf = (row: Readonly<Record<string, unknown>>): CheckedRealm => ({
  membersConversationId: Number(row['members_conversation_id']),
  isActive: row['is_active'] === true,
  withRights: 0,
});
