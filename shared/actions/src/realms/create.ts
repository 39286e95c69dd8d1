import { type Tx, tables } from '@parley/db';
import { systemGroups } from '@parley/model';
import { botTypes, roles } from '@parley/protocol';
import { sql } from 'drizzle-orm';

/**
 * Creates a realm: its row, its empty log, its system groups and its notification bot. Before the first user there are
 * no clients, so this change alone makes no events; users are then created through the log like anything else.
 */
export async function create(tx: Tx, { name, displayName }: { name: string; displayName: string }) {
  const { realms, userGroups, conversations } = tables;
  const [realm] = await tx.insert(realms).values({ name, displayName }).returning();
  if (!realm) throw new Error('An insert returned no row.');
  const [members] = await tx.insert(conversations).values({ realmId: realm.id }).returning();
  if (!members) throw new Error('An insert returned no row.');
  await tx.execute(sql`update realms set members_conversation_id = ${members.id} where id = ${realm.id}`);
  await tx.execute(sql`select create_log_head(${realm.id})`);
  await tx.execute(sql`select create_conversation_head(${realm.id}, ${members.id})`);
  await tx
    .insert(userGroups)
    .values(systemGroups.map((group) => ({ ...group, realmId: realm.id, isSystem: true })));
  // The bot belongs to the server, so it is in no group and in no channel.
  await tx.insert(tables.users).values({
    realmId: realm.id,
    email: `notification-bot@${name}.invalid`,
    fullName: 'Notification Bot',
    role: roles.member,
    botType: botTypes.generic,
    isSystem: true,
  });
  return { ...realm, membersConversationId: members.id };
}
