import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import { createEngine } from '@parley/engine';
import { deriveApiKey } from '@parley/http';
import { createLogger, systemClock } from '@parley/kit';
import { type Realm, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { type Role, botTypes, roles } from '@parley/protocol';

import type { ClusterBackends } from '../nodes/cluster-backends.ts';
import { emailDomain } from '../nodes/node-environment.ts';

export interface DemoUser {
  name: string;
  email: string;
  role: string;
  /** Bots have none: nobody logs in as one. */
  password?: string;
  api_key: string;
  user_id: number;
}

interface DemoAccount {
  name: string;
  email: string;
  role: string;
  roleId: Role;
  botType?: number;
}

/** All people have this password: the realm exists in development only. */
const password = 'parley-demo';
const realmName = 'demo';

const person = (name: string, role: keyof typeof roles): DemoAccount => ({
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@${emailDomain}`,
  role,
  roleId: roles[role],
});

const demoAccounts: readonly DemoAccount[] = [
  person('Olivia Owner', 'owner'),
  person('Adam Administrator', 'administrator'),
  person('Mona Moderator', 'moderator'),
  person('Alice Member', 'member'),
  person('Bob Member', 'member'),
  person('Carol Member', 'member'),
  person('Gus Guest', 'guest'),
  {
    name: 'Echo',
    email: `echo-bot@${emailDomain}`,
    role: 'generic_bot',
    roleId: roles.member,
    botType: botTypes.generic,
  },
  {
    name: 'Hook',
    email: `hook-bot@${emailDomain}`,
    role: 'outgoing_webhook_bot',
    roleId: roles.member,
    botType: botTypes.outgoingWebhook,
  },
];

const demoChannels = [
  { name: 'general', description: 'Everyone is here.', color: null, isPrivate: false, withGuest: true },
  { name: 'random', description: 'Anything else.', color: null, isPrivate: false, withGuest: false },
  {
    name: 'core team',
    description: 'Invisible to those outside.',
    color: null,
    isPrivate: true,
    withGuest: false,
  },
];

export const findDemoRealm = (tx: Tx) => model.realms.findRealm(tx, realmName);

/** The demo realm as actions take it. */
export function homeOf({
  id,
  membersConversationId,
}: Pick<Realm, 'id'> & { membersConversationId: number | null }): Realm {
  if (membersConversationId === null) throw new Error('The demo realm is incomplete.');
  return { id, name: realmName, host: 'localhost', emailDomain, url: '', membersConversationId };
}

/** Without Redis: nodes find in Postgres what it changes. */
export const createSeeder = ({ databaseUrl, secret }: Omit<ClusterBackends, 'redisUrl'>) =>
  createEngine({
    databaseUrl,
    name: 'seed',
    connectionsMax: 1,
    redis: null,
    secrets: [secret],
    clock: systemClock,
    logger: createLogger({ role: 'seed', level: 'warn' }),
    partitions: 1,
  });

export interface Demo {
  users: DemoUser[];
  /** Whether it has just been created. */
  isNew: boolean;
}

/**
 * Creates the demo realm, in which nobody has written yet, unless it exists, and returns the logins of its users.
 *
 * @param mayForge whether the accounts of a new realm may give messages times of their own
 */
export async function seedDemo(backends: Omit<ClusterBackends, 'redisUrl'>, mayForge = false): Promise<Demo> {
  const { secret } = backends;
  await using engine = createSeeder(backends);
  const { db } = engine;
  const existingRealm = await findDemoRealm(db);
  const realm =
    existingRealm ??
    (await db.transaction((tx) =>
      actions.realms.create(tx, { name: realmName, displayName: 'Demo', emailDomain }),
    ));
  await actions.vapidKeys.ensure(db, { realmId: realm.id, secrets: [secret] });
  const home = homeOf(realm);

  const rows = [];
  let ownerId: number | undefined;
  for (const { name, email, roleId, botType } of demoAccounts) {
    const existing = await model.users.findUserByEmail(db, realm.id, email);
    const bot = botType === undefined ? {} : { botType, ...(ownerId && { botOwnerId: ownerId }) };
    const create = () =>
      engine.perform(realm.id, actions.users.create, {
        realm: home,
        email,
        fullName: name,
        role: roleId,
        ...(botType === undefined && { password }),
        ...bot,
      });
    const user = existing ?? (await create()).user;
    ownerId ??= user.id;
    rows.push(user);
  }

  const [owner] = rows;
  if (!owner) throw new Error('The demo realm is incomplete.');
  await engine.sql`update users set can_create_users = true where id = ${owner.id}`;
  if (mayForge && !existingRealm)
    await engine.sql`update users set can_forge_sender = true where realm_id = ${realm.id} and not is_system`;
  const actor = actorOf(owner, home);
  for (const { withGuest, isPrivate, ...channel } of demoChannels) {
    const principals = rows
      .filter(({ role }) => withGuest || role <= (isPrivate ? roles.moderator : roles.member))
      .map(({ id }) => id);
    const input = {
      channels: [channel],
      principals,
      creates: { isPrivate, sharesHistory: true },
      isStrict: true,
    };
    if (!existingRealm) await engine.perform(realm.id, actions.channels.subscribe, { actor, ...input });
  }

  const users = rows.map((row, index) => ({
    name: row.fullName,
    email: row.email,
    role: demoAccounts[index]?.role ?? 'member',
    ...(demoAccounts[index]?.botType === undefined && { password }),
    api_key: deriveApiKey(secret, row.id, row.keyGeneration),
    user_id: row.id,
  }));
  return { users, isNew: !existingRealm };
}
