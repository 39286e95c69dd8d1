import * as actions from '@parley/actions';
import type { Engine } from '@parley/engine';
import type { Secrets } from '@parley/kit';
import { parseEmail, parseFullName, parseTextField } from '@parley/model';
import * as model from '@parley/model';
import { limits, roles } from '@parley/protocol';

import { Refusal } from './refusal.ts';

export interface Founding {
  /** The name in the address: a subdomain, unless it is the root realm. */
  realm: string;
  displayName: string;
  owner: { email: string; name: string; password: string };
  /** With which its keys for push services are encrypted. Without them, a node makes the keys when they are needed. */
  secrets: Secrets | undefined;
}

/**
 * Founds a realm with its first owner, who may create accounts for others. What fails before the owner has an account
 * may be repeated.
 *
 * @throws Refusal for a name that cannot be a subdomain or is another realm's former one, and for a realm that has people
 * @throws BAD_REQUEST for an address, a name or a password that cannot be
 */
export async function found(
  engine: Engine,
  site: model.realms.Site,
  { realm, displayName, owner, secrets }: Founding,
) {
  const { db, sql } = engine;
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(realm)) {
    throw new Refusal(`'${realm}' cannot be a subdomain.`, 'Use lowercase letters, digits and hyphens.');
  }
  // What cannot be is refused before anything is written.
  const display = parseTextField('name', displayName, limits.realmNameLength);
  const [email, fullName] = [
    parseEmail(owner.email, 'This is not a valid email address.'),
    parseFullName(owner.name),
  ];
  await model.users.hashNewPassword(
    owner.password,
    [email, fullName],
    'This password is too easy to guess. Choose a longer one.',
  );
  const renamed = await model.realms.findRenamedRealm(db, realm);
  if (renamed) throw new Refusal(`${realm} is a former name of ${renamed.name}, and still redirects there.`);

  const row =
    (await model.realms.findRealm(db, realm)) ??
    (await db.transaction((tx) =>
      actions.realms.create(tx, {
        name: realm,
        displayName: display,
        emailDomain: model.realms.emailDomainOf(realm, site),
      }),
    ));
  const [person] = await sql`select from users where realm_id = ${row.id} and not is_system limit 1`;
  if (person) throw new Refusal(`There is already an organization ${realm}, and it has accounts.`);
  const home = model.realms.realmAt(row, site);
  if (!home) throw new Refusal(`The organization ${realm} has not been created completely.`);
  if (secrets) await actions.vapidKeys.ensure(db, { realmId: home.id, secrets });
  const { password } = owner;
  const welcome = { nowMs: Date.now() };
  const account = { email, fullName, password, role: roles.owner, canCreateUsers: true, welcome };
  const { user } = await engine.perform(home.id, actions.users.create, { realm: home, ...account });
  return { realm_id: home.id, url: home.url, owner: { user_id: user.id, email: user.email } };
}
