import * as actions from '@parley/actions';
import type { Engine } from '@parley/engine';
import {
  type Site,
  findRealm,
  hashNewPassword,
  parseEmail,
  parseFullName,
  parseTextField,
  realmAt,
} from '@parley/model';
import { limits, roles } from '@parley/protocol';

export interface Founding {
  /** The name in the address: a subdomain, unless it is the root realm. */
  realm: string;
  displayName: string;
  owner: { email: string; name: string; password: string };
}

/**
 * Founds a realm with its first owner, who may create accounts for others. Returns the realm's URL. What fails before the
 * owner has an account may be repeated.
 *
 * @throws Error for a realm that has people, and for a name, an address or a password that cannot be
 */
export async function found(
  engine: Engine,
  site: Site,
  { realm, displayName, owner }: Founding,
): Promise<string> {
  const { db, sql } = engine;
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(realm)) {
    throw new Error(`'${realm}' cannot be a subdomain: lower-case letters, digits and hyphens are wanted.`);
  }
  // What cannot be is refused before anything is written.
  const display = parseTextField('name', displayName, limits.realmNameLength);
  const [email, fullName] = [parseEmail(owner.email, 'Invalid email address.'), parseFullName(owner.name)];
  await hashNewPassword(owner.password, [email, fullName], 'The password is too weak.');

  const row =
    (await findRealm(db, realm)) ??
    (await db.transaction((tx) => actions.realms.create(tx, { name: realm, displayName: display })));
  const [person] = await sql`select from users where realm_id = ${row.id} and not is_system limit 1`;
  if (person) throw new Error(`There is an organization ${realm} already, and it has people.`);
  const home = realmAt(row, site);
  if (!home) throw new Error(`The organization ${realm} is incomplete.`);
  const { password } = owner;
  const welcome = { nowMs: Date.now() };
  const account = { email, fullName, password, role: roles.owner, canCreateUsers: true, welcome };
  await engine.perform(home.id, (tx) => actions.users.create(tx, home, account));
  return home.url;
}
