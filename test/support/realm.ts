import { randomBytes } from 'node:crypto';

import * as actions from '@parley/actions';
import type { Realm } from '@parley/model';
import { type Role, roles } from '@parley/protocol';

import { type Person, keyOf, personOf } from './person.ts';
import { type Inhabitant, buildRealm, emailOf, inhabitants } from './prepared-realm.ts';
import { getWorld } from './world.ts';

interface NewPerson {
  name?: string;
  email?: string;
  role?: Role;
  password?: string;
  botType?: number;
  botOwnerId?: number;
}

/** A realm of one test's own, with someone of every kind in it. */
export interface TestRealm {
  realm: Realm;
  owner: Person;
  admin: Person;
  moderator: Person;
  /** Members. */
  alice: Person;
  bob: Person;
  carol: Person;
  guest: Person;
  /** Belongs to the owner. */
  bot: Person;
  /** Somebody more, announced to the clients like anyone new. */
  readonly join: (person: NewPerson) => Promise<Person>;
}

const newName = () => `r${randomBytes(5).toString('hex')}`;

export async function realm(): Promise<TestRealm> {
  const name = newName();
  await (await getWorld()).copyRealm(name);
  return await readTestRealm(name);
}

/** The same, built by actions: what copies have to be like. */
export async function builtRealm(): Promise<TestRealm> {
  const name = newName();
  await buildRealm((await getWorld()).engine, name);
  return await readTestRealm(name);
}

async function readTestRealm(name: string): Promise<TestRealm> {
  const { engine, secret } = await getWorld();
  const home = await readRealm(name);

  async function join({ name: fullName = 'Somebody', ...person }: NewPerson): Promise<Person> {
    const email = person.email ?? emailOf(fullName, name);
    const { user } = await engine.perform(home.id, actions.users.create, {
      realm: home,
      role: roles.member,
      ...person,
      fullName,
      email,
    });
    return personOf(user, home, keyOf(secret, user));
  }

  const rows = await engine.db.query.users.findMany({ where: ({ realmId }, { eq }) => eq(realmId, home.id) });
  function find(inhabitant: Inhabitant): Person {
    const { fullName } = inhabitants[inhabitant];
    const user = rows.find((row) => row.fullName === fullName);
    if (!user) throw new Error(`There is no ${fullName}.`);
    return personOf(user, home, keyOf(secret, user));
  }
  return {
    realm: home,
    owner: find('owner'),
    admin: find('admin'),
    moderator: find('moderator'),
    alice: find('alice'),
    bob: find('bob'),
    carol: find('carol'),
    guest: find('guest'),
    bot: find('bot'),
    join,
  };
}

/** Somebody in an organization that was not made by a test. */
export async function personIn(realmName: string, id: number): Promise<Person> {
  const { engine, secret } = await getWorld();
  const user = await engine.db.query.users.findFirst({ where: (one, { eq }) => eq(one.id, id) });
  if (!user) throw new Error(`There is no user ${id}.`);
  return personOf(user, await readRealm(realmName), keyOf(secret, user));
}

async function readRealm(name: string): Promise<Realm> {
  const { engine } = await getWorld();
  const row = await engine.db.query.realms.findFirst({ where: (one, { eq }) => eq(one.name, name) });
  if (!row?.membersConversationId) throw new Error(`There is no realm ${name}.`);
  const host = `${name}.localhost`;
  const { id, membersConversationId } = row;
  return { id, name, host, emailDomain: host, url: `http://${host}:9991`, membersConversationId };
}
