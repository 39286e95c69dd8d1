import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult, type Role, events, to } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { lockConversations, lockName } from '../lock.ts';
import { getSystemGroupIds } from '../user-groups/find.ts';
import { directGroupsOf } from '../user-groups/system.ts';
import { hashPassword } from './password.ts';
import { presentUser } from './present.ts';

export interface NewUser {
  email: string;
  fullName: string;
  role: Role;
  password?: string;
  botType?: number;
  botOwnerId?: number;
}

interface Home {
  id: number;
  host: string;
}

export async function create(tx: Tx, realm: Home, { password, ...fields }: NewUser) {
  const { users, realms } = tables;
  await lockName(tx, 'email', realm.id, fields.email);
  const taken = and(eq(users.realmId, realm.id), eq(sql`lower(${users.email})`, fields.email.toLowerCase()));
  const [other] = await tx.select({ id: users.id }).from(users).where(taken);
  if (other) throw new ApiError('BAD_REQUEST', 'Email is already in use.');

  const passwordHash = password === undefined ? null : await hashPassword(password);
  const [user] = await tx
    .insert(users)
    .values({ ...fields, passwordHash, realmId: realm.id })
    .returning();
  const [home] = await tx.select().from(realms).where(eq(realms.id, realm.id));
  if (!user || !home?.membersConversationId) throw new Error(`Realm ${realm.id} is not founded.`);
  const membersId = home.membersConversationId;
  await lockConversations(tx, [membersId]);

  const idOf = await getSystemGroupIds(tx, realm.id);
  const view = {
    viewer: { id: 0, role: 600 },
    realmHost: realm.host,
    clientGravatar: false,
    withProfile: true,
  };
  const result: ActionResult = {
    events: [
      to.everyone(events.realmUser.add({ person: { ...presentUser(user, view), is_active: true } })),
      ...directGroupsOf(user.role).map((name) =>
        to.everyone(events.userGroup.add_members({ group_id: idOf(name), user_ids: [user.id] })),
      ),
    ],
    memberships: user.role === 600 ? [] : [{ conversationId: membersId, joined: [user.id], left: [] }],
    // Someone new takes nothing from anybody.
    keepsRules: true,
  };
  return { ...result, user };
}
