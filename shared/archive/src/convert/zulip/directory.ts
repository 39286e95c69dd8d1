import * as model from '@parley/model';
import { botTypes, roles } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import type { Tally } from '../report.ts';
import { idOf, isTrue, textOf } from './values.ts';

/** Accounts of an archive. They are in memory. */
const peopleMax = 1_000_000;
/** Recipients and channels, which are in memory, too. */
const placesMax = 2_000_000;

/** The tables that have accounts. */
export const accountTables = ['zerver_userprofile', 'zerver_userprofile_mirrordummy'] as const;

/** What is known of an account while messages are read. */
interface Account {
  isBot: boolean;
  /** Somebody for whom no rows of read state were written after this message, because they had been away long. */
  idleSince: number | null;
}

/** Whom a message was sent to. */
export type Recipient =
  | { type: 'user' | 'channel'; id: number }
  | { type: 'group'; people: readonly number[] };

const recipientTypes = { user: 1, channel: 2, group: 3 } as const;

/** Who and what the rows of an export refer to: its accounts, channels and recipients, by their ids. */
export class Directory {
  readonly tally: Tally;
  readonly realmId: number;
  readonly realm: Json;
  readonly accounts = new Map<number, Account>();
  /** Accounts that rows name, and that no table has. */
  readonly missing = new Set<number>();
  /** The bots of the server, by the beginning of their addresses. */
  readonly systemBots = new Map<string, number>();
  /** Bots of the server that write messages from outside. */
  readonly gateways = new Set<number>();
  readonly channels = new Set<number>();
  readonly recipients = new Map<number, Recipient>();
  greatestRecipient = 0;
  /** Those subscribed to a channel who had been away long, by the last message for which they have read state. */
  readonly idle = new Map<number, { user: number; since: number }[]>();

  private constructor(tally: Tally, realmId: number, realm: Json) {
    this.tally = tally;
    this.realmId = realmId;
    this.realm = realm;
  }

  /** Reads what all else refers to from the tables of an organization. */
  static async read(tables: JsonTables, tally: Tally): Promise<Directory> {
    const realms: Json[] = [];
    for await (const { rows } of tables.rows('zerver_realm')) realms.push(...rows);
    const [realm] = realms;
    const realmId = realm && idOf(realm, 'id');
    if (!realm || realmId === undefined || realms.length > 1) {
      throw refused('no_organization');
    }
    const directory = new Directory(tally, realmId, realm);
    await directory.#readAccounts(tables);
    await directory.#readRecipients(tables);
    return directory;
  }

  /** Notes that a row names an account. One that no table has is made. */
  readonly need = (id: number): number => {
    if (!this.accounts.has(id)) {
      this.accounts.set(id, { isBot: false, idleSince: null });
      this.missing.add(id);
      this.tally.keep('people');
      this.tally.change('people', 'person_unknown');
    }
    return id;
  };

  async #readAccounts(tables: JsonTables): Promise<void> {
    for (const table of accountTables) {
      for await (const { rows, where } of tables.rows(table)) {
        for (const [index, row] of rows.entries()) {
          const id = idOf(row, 'id');
          if (id === undefined || this.accounts.has(id)) {
            throw refused('no_id', where(index));
          }
          if (this.accounts.size >= peopleMax) {
            throw refused('people_max', { count: peopleMax });
          }
          const isIdle = row['long_term_idle'] === true;
          const idleSince = isIdle ? (idOf(row, 'last_active_message_id') ?? null) : null;
          this.accounts.set(id, { isBot: isTrue(row, 'is_bot'), idleSince });
        }
      }
    }
    await this.#readSystemBots(tables);
  }

  async #readSystemBots(tables: JsonTables): Promise<void> {
    for await (const { rows } of tables.rows('zerver_userprofile_crossrealm')) {
      for (const row of rows) {
        const id = idOf(row, 'id');
        if (id === undefined || this.accounts.has(id)) continue;
        const [local = ''] = textOf(row, 'email').split('@');
        this.accounts.set(id, { isBot: true, idleSince: null });
        const isOurs = local === 'notification-bot' || local === 'welcome-bot';
        if (isOurs && !this.systemBots.has(local)) this.systemBots.set(local, id);
        else this.gateways.add(id);
      }
    }
    for (const local of ['notification-bot', 'welcome-bot']) {
      if (this.systemBots.has(local)) continue;
      let id = 1;
      for (const taken of this.accounts.keys()) id = Math.max(id, taken + 1);
      this.systemBots.set(local, id);
      this.accounts.set(id, { isBot: true, idleSince: null });
    }
  }

  async #readRecipients(tables: JsonTables): Promise<void> {
    for await (const { rows } of tables.rows('zerver_stream')) {
      for (const row of rows) {
        const id = idOf(row, 'id');
        if (id !== undefined) this.channels.add(id);
      }
    }
    const groups = new Map<number, number[]>();
    for await (const { rows, where } of tables.rows('zerver_recipient')) {
      for (const [index, row] of rows.entries()) {
        const [id, of] = [idOf(row, 'id'), idOf(row, 'type_id')];
        if (id === undefined || of === undefined) throw refused('no_id', where(index));
        if (this.recipients.size >= placesMax) {
          throw refused('places_max', { count: placesMax });
        }
        this.greatestRecipient = Math.max(this.greatestRecipient, id);
        if (row['type'] === recipientTypes.user) this.recipients.set(id, { type: 'user', id: of });
        else if (row['type'] === recipientTypes.group) {
          const people: number[] = [];
          groups.set(id, people);
          this.recipients.set(id, { type: 'group', people });
        } else if (this.channels.has(of)) this.recipients.set(id, { type: 'channel', id: of });
      }
    }
    for await (const { rows } of tables.rows('zerver_userprofile_crossrealm')) {
      for (const row of rows) {
        const [id, of] = [idOf(row, 'recipient_id'), idOf(row, 'id')];
        if (id === undefined || of === undefined) continue;
        this.greatestRecipient = Math.max(this.greatestRecipient, id);
        this.recipients.set(id, { type: 'user', id: of });
      }
    }
    for await (const { rows } of tables.rows('zerver_subscription')) {
      for (const row of rows) {
        const [user, recipient] = [idOf(row, 'user_profile'), idOf(row, 'recipient') ?? 0];
        if (user === undefined) continue;
        groups.get(recipient)?.push(user);
        if (row['active'] === true) this.#noteIdle(user, recipient);
      }
    }
    for (const idle of this.idle.values()) idle.sort((a, b) => a.since - b.since);
  }

  #noteIdle(user: number, recipient: number): void {
    const since = this.accounts.get(user)?.idleSince ?? null;
    const found = this.recipients.get(recipient);
    if (since === null || found?.type !== 'channel') return;
    this.idle.set(found.id, [...(this.idle.get(found.id) ?? []), { user, since }]);
  }
}

/** Returns the role of an account: a member’s of what is none. */
export const roleOf = (row: Json): number => {
  const values: readonly number[] = Object.values(roles);
  return values.includes(Number(row['role'])) ? Number(row['role']) : roles.member;
};

export const botTypeOf = (row: Json): number | null => {
  if (!isTrue(row, 'is_bot')) return null;
  const values: readonly number[] = Object.values(botTypes);
  return values.includes(Number(row['bot_type'])) ? Number(row['bot_type']) : botTypes.generic;
};

/** The names of the groups that stand for roles. */
export const systemNames: readonly string[] = model.permissions.systemGroups.map(({ name }) => name);
