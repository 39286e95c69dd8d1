import { parseUserGroupName } from '@parley/model';
import * as model from '@parley/model';
import { type GroupPermission, type GroupSetting, limits, userGroupSettings } from '@parley/protocol';

import { findForbidden } from '../../schemas/permissions.ts';
import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import { UniqueNames, shorten } from '../texts.ts';
import { type Directory, systemNames } from './directory.ts';
import { idOf, isTrue, textOf, timeOf } from './values.ts';

const people = { members: 'zerver_usergroupmembership', subgroups: 'zerver_groupgroupmembership' } as const;

/** The groups of an export: those with names, and those that a permission was granted to and that have none. */
export class Groups {
  readonly #directory: Directory;
  readonly #named = new Map<number, Json>();
  readonly #members = new Map<number, number[]>();
  readonly #subgroups = new Map<number, number[]>();
  readonly #systemIds = new Map<string, number>();
  /** The ids of the groups that each account is a direct member of. */
  readonly #groupsOf = new Map<number, number[]>();

  private constructor(directory: Directory) {
    this.#directory = directory;
  }

  static async read(tables: JsonTables, directory: Directory): Promise<Groups> {
    const groups = new Groups(directory);
    for await (const { rows } of tables.rows('zerver_namedusergroup')) {
      for (const row of rows) groups.#addNamed(row);
    }
    for await (const { rows } of tables.rows(people.members)) {
      for (const row of rows) {
        const [group, user] = [idOf(row, 'user_group'), idOf(row, 'user_profile')];
        if (group !== undefined && user !== undefined && directory.accounts.has(user)) {
          groups.#addMember(group, user);
        }
      }
    }
    for await (const { rows } of tables.rows(people.subgroups)) {
      for (const row of rows) {
        const [group, subgroup] = [idOf(row, 'supergroup'), idOf(row, 'subgroup')];
        if (group === undefined || subgroup === undefined || !groups.#named.has(subgroup)) continue;
        groups.#subgroups.set(group, [...(groups.#subgroups.get(group) ?? []), subgroup]);
      }
    }
    groups.#addMissingSystemGroups();
    return groups;
  }

  /** Returns the groups with names of their own that an account is a direct member of. */
  groupsOf(user: number): number[] {
    return [...new Set(this.#groupsOf.get(user))].sort((a, b) => a - b);
  }

  /** Returns whether an account has been a member for long; undefined if the export does not say so. */
  isFullMember(user: number): boolean | undefined {
    const members = this.#members.get(this.#systemIds.get('role:fullmembers') ?? 0);
    return members && members.length > 0 ? members.includes(user) : undefined;
  }

  *rows(): Generator<object> {
    const names = new UniqueNames();
    for (const { name, description } of model.permissions.systemGroups) {
      yield {
        ...this.#row(this.#systemIds.get(name) ?? 0, name),
        description,
        is_system: true,
        is_deactivated: false,
        creator_id: null,
        created_at: null,
        group_settings: null,
      };
    }
    for (const [id, row] of this.#named) {
      if (this.#isSystem(id)) continue;
      this.#directory.tally.keep('groups');
      const name = names.take(this.#nameOf(row, id), limits.userGroupNameLength);
      const creator = idOf(row, 'creator');
      yield {
        ...this.#row(id, name),
        description: shorten(textOf(row, 'description'), limits.userGroupDescriptionLength),
        is_system: false,
        is_deactivated: isTrue(row, 'deactivated'),
        creator_id: creator !== undefined && this.#directory.accounts.has(creator) ? creator : null,
        created_at: timeOf(row, 'date_created'),
        group_settings: this.permissions(userGroupSettings, row, creator),
      };
    }
  }

  *subgroupRows(): Generator<object> {
    for (const [group, subgroups] of this.#subgroups) {
      if (!this.#named.has(group) || this.#isSystem(group)) continue;
      for (const subgroup of [...new Set(subgroups)].sort((a, b) => a - b)) {
        yield { realm_id: this.#directory.realmId, group_id: group, subgroup_id: subgroup };
      }
    }
  }

  /** Returns the permissions in the columns of a row. What it does not say, or says and is not possible, is as at first. */
  permissions<Name extends string>(
    known: Readonly<Record<Name, GroupPermission>>,
    row: Json,
    creator?: number,
  ): Record<Name, GroupSetting> {
    const settings = Object.entries<GroupPermission>(known).map(([name, permission]) => {
      const own = this.#settingOf(row[name]);
      const isAllowed =
        own !== undefined &&
        findForbidden({ [name]: permission }, { [name]: own }, this.#systemNames) === undefined;
      return [name, isAllowed ? own : this.#initial(permission, creator)];
    });
    // Safe: the names are those of what is known.
    return Object.fromEntries(settings) as Record<Name, GroupSetting>;
  }

  get #systemNames(): ReadonlyMap<number, string> {
    return new Map([...this.#systemIds].map(([name, id]) => [id, name]));
  }

  #initial({ default: holder }: GroupPermission, creator: number | undefined): GroupSetting {
    if (holder !== 'creator') return this.#systemIds.get(holder) ?? 0;
    if (creator === undefined || !this.#directory.accounts.has(creator)) {
      return this.#systemIds.get('role:nobody') ?? 0;
    }
    return { direct_members: [creator], direct_subgroups: [] };
  }

  #settingOf(value: unknown): GroupSetting | undefined {
    if (typeof value !== 'number') return undefined;
    if (this.#named.has(value)) return value;
    const [members = [], subgroups = []] = [this.#members.get(value), this.#subgroups.get(value)];
    if (members.length + subgroups.length === 0) return undefined;
    const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);
    return { direct_members: sorted(members), direct_subgroups: sorted(subgroups) };
  }

  #addNamed(row: Json): void {
    const id = idOf(row, 'usergroup_ptr', 'id');
    if (id === undefined || this.#named.has(id)) return;
    const name = textOf(row, 'name');
    if (isTrue(row, 'is_system_group')) {
      if (!systemNames.includes(name) || this.#systemIds.has(name)) return;
      this.#systemIds.set(name, id);
    }
    this.#named.set(id, row);
  }

  #addMember(group: number, user: number): void {
    const members = this.#members.get(group);
    const isOwn = this.#named.has(group) && !this.#isSystem(group);
    if (isOwn) this.#groupsOf.set(user, [...(this.#groupsOf.get(user) ?? []), group]);
    else if (this.#isKept(group)) {
      if (members) members.push(user);
      else this.#members.set(group, [user]);
    }
  }

  /** The members of groups that stand for roles follow from the roles, but for one. */
  #isKept(group: number): boolean {
    return !this.#isSystem(group) || this.#systemIds.get('role:fullmembers') === group;
  }

  #isSystem(group: number): boolean {
    return [...this.#systemIds.values()].includes(group);
  }

  #addMissingSystemGroups(): void {
    const taken = [...this.#named.keys(), ...this.#members.keys(), ...this.#subgroups.keys()];
    let id = taken.reduce((greatest, one) => Math.max(greatest, one), 0);
    for (const name of systemNames) {
      if (this.#systemIds.has(name)) continue;
      id += 1;
      this.#systemIds.set(name, id);
      this.#named.set(id, {});
    }
  }

  #nameOf(row: Json, id: number): string {
    const name = textOf(row, 'name');
    try {
      return parseUserGroupName(name);
    } catch {
      this.#directory.tally.change('groups', 'renamed');
      return `Group ${id}`;
    }
  }

  #row = (id: number, name: string) => ({ id, realm_id: this.#directory.realmId, name });
}
