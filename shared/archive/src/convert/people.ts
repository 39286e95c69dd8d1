import { TimeZone, botTypes, limits, roles } from '@parley/protocol';
import { z } from 'zod';

import { refused } from '../read/refused.ts';
import type { ForeignPerson } from './foreign.ts';
import { because } from './reasons.ts';
import type { Tally } from './report.ts';
import { UniqueNames, personName, timeText } from './texts.ts';

/** The number of the organization in an archive that is made here. */
export const realmId = 1;

/** Accounts of an archive. They are in memory. */
const peopleMax = 1_000_000;
const Email = z.email().max(254);

/** An account with the number and the names that it gets here. */
export interface Account {
  id: number;
  key: string;
  name: string;
  email: string;
  role: number;
  isActive: boolean;
  isBot: boolean;
  timezone: string;
  joinedAt: number | undefined;
}

/** The accounts of an organization, in the order in which they were found. */
export class People {
  readonly #tally: Tally;
  readonly #domain: string;
  readonly #found = new Map<string, ForeignPerson>();
  #accounts: Map<string, Account> | undefined;
  #names = new Map<string, number>();

  /** `domain` is the end of the addresses that are made up. */
  constructor(tally: Tally, domain: string) {
    this.#tally = tally;
    this.#domain = domain;
  }

  add(person: ForeignPerson): void {
    if (this.#found.size >= peopleMax) throw refused('people_max', { count: peopleMax });
    this.#found.set(person.key, person);
  }

  find(key: string): ForeignPerson | undefined {
    return this.#found.get(key);
  }

  /** Gives all accounts their numbers and names. Nobody is found after that. */
  settle(): void {
    const addresses = new UniqueNames();
    const accounts = new Map<string, Account>();
    let id = 2;
    for (const person of this.#found.values()) {
      id += 1;
      const account = this.#settle(person, id, addresses);
      accounts.set(person.key, account);
      this.#names.set(account.name, (this.#names.get(account.name) ?? 0) + 1);
      this.#tally.keep(account.isBot ? 'bots' : 'people');
    }
    this.#accounts = accounts;
    const isOwned = [...accounts.values()].some((one) => one.role === roles.owner && one.isActive);
    if (!isOwned) this.#tally.note('nobody_owns');
  }

  get accounts(): readonly Account[] {
    return [...(this.#accounts?.values() ?? [])];
  }

  account(key: string): Account | undefined {
    return this.#accounts?.get(key);
  }

  /** Returns the mention of an account: with its number if others have its name. */
  mentionOf({ name, id }: Account): string {
    return (this.#names.get(name) ?? 0) > 1 ? `@**${name}|${id}**` : `@**${name}**`;
  }

  #settle(person: ForeignPerson, id: number, addresses: UniqueNames): Account {
    const { key, isBot = false, isActive = true, role = 'member', joinedAt } = person;
    const kind = isBot ? 'bots' : 'people';
    const name = personName(person.name, key);
    if (name !== person.name.trim()) this.#tally.change(kind, 'name_cleaned');
    const timezone = person.timezone ?? '';
    return {
      id,
      key,
      name,
      email: this.#address(person, addresses),
      role: isBot ? roles.member : roles[role],
      isActive,
      isBot,
      timezone: TimeZone.safeParse(timezone).success ? timezone : '',
      joinedAt,
    };
  }

  #address({ key, email, isBot = false }: ForeignPerson, addresses: UniqueNames): string {
    const given = email?.trim() ?? '';
    if (Email.safeParse(given).success) {
      if (addresses.take(given, limits.fullNameLength * 3) === given) return given;
      this.#tally.noteConflict(because('two_addresses', { address: given }));
      this.#tally.change(isBot ? 'bots' : 'people', 'address_of_other');
    } else if (!isBot) this.#tally.change('people', 'address_made_up');
    const local =
      key
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 40) || 'user';
    for (let number = 1; ; number += 1) {
      const made = `${local}${number > 1 ? `-${number}` : ''}@${this.#domain}`;
      if (addresses.take(made, made.length) === made) return made;
    }
  }
}

const own = {
  realm_id: realmId,
  group_ids: [],
  bot_owner_id: null,
  password_hash: null,
  key_generation: 1,
  email_visibility: 1,
  avatar_version: 1,
  settings: {},
  avatar_path: null,
  last_active_on: null,
  can_create_users: false,
  can_change_user_emails: false,
  can_forge_sender: false,
  default_sending_channel_id: null,
  default_events_channel_id: null,
  default_all_public_channels: false,
  is_full_member: true,
} as const;

/** Returns the rows of the server's own bots. */
export const systemBotRows = (domain: string, createdAt: number) =>
  (
    [
      ['notification-bot', 'Notification Bot'],
      ['welcome-bot', 'Welcome Bot'],
    ] as const
  ).map(([local, name], index) => ({
    ...own,
    id: index + 1,
    email: `${local}@${domain}`,
    full_name: name,
    role: roles.member,
    is_active: true,
    bot_type: botTypes.generic,
    timezone: '',
    is_system: true,
    joined_at: timeText(createdAt),
  }));

export const userRow = (account: Account, createdAt: number, ownerId: number | null) => ({
  ...own,
  id: account.id,
  email: account.email,
  full_name: account.name,
  role: account.role,
  is_active: account.isActive,
  bot_type: account.isBot ? botTypes.generic : null,
  bot_owner_id: account.isBot ? ownerId : null,
  timezone: account.timezone,
  is_system: false,
  joined_at: timeText(account.joinedAt ?? createdAt),
});
