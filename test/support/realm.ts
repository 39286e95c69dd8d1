import { randomBytes } from 'node:crypto';

import * as actions from '@parley/actions';
import type { Realm } from '@parley/model';
import { type Role, roles } from '@parley/protocol';

import { type Person, keyOf, personOf } from './person.ts';
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
  join(person: NewPerson): Promise<Person>;
}

export async function realm(): Promise<TestRealm> {
  const { engine, secret } = await getWorld();
  const name = `r${randomBytes(5).toString('hex')}`;
  const row = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name, displayName: `The ${name}` }),
  );
  const host = `${name}.localhost`;
  const home: Realm = {
    id: row.id,
    name,
    host,
    url: `http://${host}:9991`,
    membersConversationId: row.membersConversationId,
  };

  async function join({ name: fullName = 'Somebody', ...person }: NewPerson): Promise<Person> {
    const email = person.email ?? `${fullName.toLowerCase().replaceAll(' ', '.')}@${name}.example`;
    const { user } = await engine.perform(home.id, (tx) =>
      actions.users.create(tx, home, { role: roles.member, ...person, fullName, email }),
    );
    return personOf(user, home, keyOf(secret, user));
  }

  const owner = await join({ name: 'Olivia', role: roles.owner });
  return {
    realm: home,
    owner,
    admin: await join({ name: 'Adam', role: roles.administrator }),
    moderator: await join({ name: 'Mona', role: roles.moderator }),
    alice: await join({ name: 'Alice' }),
    bob: await join({ name: 'Bob' }),
    carol: await join({ name: 'Carol' }),
    guest: await join({ name: 'Gus', role: roles.guest }),
    bot: await join({ name: 'Echo', botType: 1, botOwnerId: owner.id }),
    join,
  };
}
