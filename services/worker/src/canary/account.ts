import { randomBytes } from 'node:crypto';

import * as actions from '@parley/actions';
import type { Engine } from '@parley/engine';
import { deriveApiKey } from '@parley/http';
import { systemClock } from '@parley/kit';
import { type Realm, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { roles } from '@parley/protocol';

/** The account by which the canary talks to itself, in an organization of its own. */
export interface CanaryAccount {
  userId: number;
  email: string;
  apiKey: string;
  /** The host that the organization is served at. */
  host: string;
}

/** Its messages are deleted after a day, like those of any organization that wants that. */
const keptDays = 1;

/**
 * Finds the canary's account, and founds its organization if there is none yet. Doing it again changes nothing.
 * Throws if the name belongs to an organization of people, which is left alone.
 */
export async function ensureCanaryAccount(
  engine: Engine,
  site: model.realms.Site,
  name: string,
  secret: string,
): Promise<CanaryAccount> {
  const { db, sql } = engine;
  const row =
    (await model.realms.findRealm(db, name)) ??
    (await db.transaction((tx) =>
      actions.realms.create(tx, {
        name,
        displayName: 'Canary',
        emailDomain: model.realms.emailDomainOf(name, site),
      }),
    ));
  const realm = model.realms.realmAt(row, site);
  if (!realm) throw new Error(`The organization ${name} has not been created completely.`);
  const email = `canary@${realm.emailDomain}`;
  const people = await sql<{ email: string }[]>`
    select email from users where realm_id = ${realm.id} and not is_system limit 2`;
  if (people.some((person) => person.email !== email)) {
    throw new Error(
      `The organization ${name} has accounts, but the canary needs an organization of its own. Set CANARY_REALM to another name.`,
    );
  }
  if (people.length === 0) await createAccount(engine, realm, email);
  const user = await model.users.findUserByEmail(db, realm.id, email);
  if (!user) throw new Error('The canary has no account.');
  if (row.settings.message_retention_days !== keptDays) {
    const settings = { message_retention_days: keptDays };
    const actor = actorOf(user, realm);
    await engine.perform(realm.id, actions.realms.edit, {
      actor,
      settings,
      permissions: {},
      nowMs: systemClock.nowMs(),
    });
  }
  const apiKey = deriveApiKey(secret, user.id, user.keyGeneration);
  return { userId: user.id, email, apiKey, host: new URL(realm.url).host };
}

async function createAccount(engine: Engine, realm: Realm, email: string): Promise<void> {
  // Nobody logs in as the canary, so nobody knows its password.
  const password = randomBytes(24).toString('base64url');
  const account = { email, fullName: 'Canary', password, role: roles.owner };
  await engine.perform(realm.id, actions.users.create, { realm, ...account });
}
