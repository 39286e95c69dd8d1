import { type IdSet, createIdSet } from '@parley/db';
import { limits } from '@parley/protocol';

import { type Manifest, type TableSummary, addToSummary, partNumbers } from '../manifest.ts';
import { systemGroupCount } from '../schemas/permissions.ts';
import type { ProfileField } from '../schemas/profiles.ts';
import { bigIdMax } from '../schemas/values.ts';
import { exportedTables } from '../tables/index.ts';
import type { ExportedTable, Numbers } from '../tables/table.ts';
import { type ArchiveFile, readFiles, readLines } from './entries.ts';
import { type Member, memberOf } from './members.ts';
import type { Verified } from './parts.ts';
import { type PathSums, createPathSums } from './path-sums.ts';
import { refused } from './refused.ts';
import { type Row, parseRow, refusedRow } from './row.ts';

/** What is known of an archive that is whole, and of which every row is one that the API could have let in. */
export interface Survey extends Verified, Disposable {
  /** The ids that its rows have, by what they are ids of. */
  ids: ReadonlyMap<Numbers, IdSet>;
  /** Messages that other parts have as they were before. */
  superseded: IdSet;
  /** The names of the groups that stand for roles, by id. */
  systemGroups: ReadonlyMap<number, string>;
  profileFields: ReadonlyMap<number, ProfileField>;
  /** The files that it has for the file store, by their keys there. */
  stored: PathSums;
}

/** Tables of which an organization has so many rows at most. */
const rowsMax: Readonly<Record<string, number>> = {
  realms: 1,
  user_groups: limits.userGroupsPerRealm + systemGroupCount,
  channel_folders: limits.channelFoldersPerRealm,
  custom_profile_fields: limits.profileFieldsPerRealm,
  linkifiers: limits.linkifiersPerRealm,
  playgrounds: limits.playgroundsPerRealm,
  realm_domains: limits.emailDomainsPerRealm,
  realm_emoji: limits.emojiPerRealm,
};

/** The tables by name, with their places in the order in which they stand in an archive. */
const placedTables = new Map(exportedTables.map((table, place) => [table.name, { table, place }]));

/** @throws ArchiveRefused for a table that this server does not know */
export function tableOf(name: string): { table: ExportedTable; place: number } {
  const placed = placedTables.get(name);
  if (placed) return placed;
  throw refused('unknown_table', { table: name });
}

/**
 * Reads the rows of a verified archive, checks each by itself, and collects their ids. The memory that it takes are two
 * bytes or less for each id, and eight for each file.
 *
 * @throws ArchiveRefused for a row that the API would not have let in, and for other rows or files than the manifest tells
 * of
 */
export async function surveyArchive(archive: string, verified: Verified): Promise<Survey> {
  const surveyor = new Surveyor(verified);
  try {
    for await (const file of readFiles(archive)) await surveyor.read(file);
    return surveyor.end();
  } catch (error) {
    surveyor[Symbol.dispose]();
    throw error;
  }
}

class Surveyor implements Disposable {
  readonly #verified: Verified;
  readonly #ids = new Map<Numbers, IdSet>();
  readonly #superseded = createIdSet();
  readonly #tables: Record<string, TableSummary> = {};
  readonly #systemGroups = new Map<number, string>();
  readonly #profileFields = new Map<number, ProfileField>();
  readonly #stored = createPathSums();
  #place = 0;

  constructor(verified: Verified) {
    this.#verified = verified;
    for (const { draws } of exportedTables) if (draws !== undefined) this.#ids.set(draws, createIdSet());
  }

  async read(file: ArchiveFile): Promise<void> {
    const member = memberOf(file.path);
    if (member.kind === 'rows') return await this.#readTable(file, member);
    if (member.kind === 'superseded') return await this.#readSuperseded(file);
    if (member.kind !== 'file') return;
    if (member.realmId !== this.#verified.manifest.realm.id) {
      throw refused('file_misplaced', { path: file.path });
    }
    this.#stored.add(storedPath(member, file.bytes));
  }

  end(): Survey {
    assertSameTables(this.#verified.manifest, this.#tables);
    const names = new Set(this.#systemGroups.values());
    if (names.size !== systemGroupCount) throw refusedRow('user_groups', 'is_system');
    return {
      ...this.#verified,
      ids: this.#ids,
      superseded: this.#superseded,
      systemGroups: this.#systemGroups,
      profileFields: this.#profileFields,
      stored: this.#stored,
      [Symbol.dispose]: () => this[Symbol.dispose](),
    };
  }

  [Symbol.dispose](): void {
    for (const set of this.#ids.values()) set[Symbol.dispose]();
    this.#superseded[Symbol.dispose]();
  }

  async #readTable(file: ArchiveFile, member: Member & { kind: 'rows' }): Promise<void> {
    const { table, place } = tableOf(member.table);
    const isOfMessages = table.ofMessages === true || table.name === 'messages';
    const isInPlace = isOfMessages || (member.part === partNumbers.tables && place >= this.#place);
    if (!isInPlace) throw refused('file_misplaced', { path: file.path });
    this.#place = isOfMessages ? Infinity : place;
    for await (const line of readLines(file)) this.#addRow(table, member.part, parseRow(table, line));
  }

  #addRow(table: ExportedTable, part: number, row: Row): void {
    const { name, draws, drawnIn = 'id' } = table;
    const drawn = draws === undefined ? null : Number(row[drawnIn]);
    addToSummary(this.#tables, name, { rows: 1, least: drawn, greatest: drawn });
    const { rows = 0 } = this.#tables[name] ?? {};
    if (rows > (rowsMax[name] ?? Infinity)) {
      throw refused('table_large', { table: name });
    }
    const message = Number(row[name === 'messages' ? 'id' : 'message_id']);
    const isSuperseded = part !== partNumbers.tables && this.#superseded.has(message);
    if (draws === undefined || drawn === null || isSuperseded) return;
    if (this.#ids.get(draws)?.add(drawn) !== true) throw refusedRow(name, drawnIn);
    if (name === 'user_groups' && row['is_system'] === true) {
      this.#systemGroups.set(drawn, String(row['name']));
    }
    if (name === 'custom_profile_fields') {
      const field = { type: Number(row['type']), fieldData: String(row['field_data']) };
      this.#profileFields.set(drawn, field);
    }
  }

  async #readSuperseded(file: ArchiveFile): Promise<void> {
    for await (const line of readLines(file)) {
      const id = /^\d{1,16}$/.test(line) ? Number(line) : 0;
      if (id < 1 || id > bigIdMax) throw refused('file_unreadable', { path: file.path });
      this.#superseded.add(id);
    }
  }
}

/** Returns what stands for a stored file. The rows of uploads say how long they are. */
export const storedPath = ({ folder, rest }: { folder: string; rest: string }, bytes: number) =>
  folder === 'uploads' ? `${folder}/${rest} ${bytes}` : `${folder}/${rest}`;

/** The rows of each table are those that the manifest tells of. */
function assertSameTables(manifest: Manifest, found: Readonly<Record<string, TableSummary>>): void {
  const names = new Set([...Object.keys(manifest.tables), ...Object.keys(found)]);
  const none = { rows: 0, least: null, greatest: null };
  for (const name of names) {
    const [said, is] = [manifest.tables[name] ?? none, found[name] ?? none];
    const isSame = said.rows === is.rows && said.least === is.least && said.greatest === is.greatest;
    if (!isSame) throw refused('other_rows', { table: name });
  }
  if (found['realms']?.least !== manifest.realm.id) throw refused('no_organization');
}
