import { type Tx, tables } from '@parley/db';
import * as model from '@parley/model';
import { botTypes, roles } from '@parley/protocol';
import { sql } from 'drizzle-orm';

/**
 * Creates a realm: its row, its empty log, its system groups and the server's bots. Before the first user there are
 * no clients, so this change alone makes no events; users are then created through the log like anything else.
 */
export async function create(
  tx: Tx,
  { name, displayName, emailDomain }: { name: string; displayName: string; emailDomain: string },
) {
  const { realms, userGroups, conversations } = tables;
  const [realm] = await tx.insert(realms).values({ name, displayName }).returning();
  if (!realm) throw new Error('An insert returned no row.');
  const [members] = await tx.insert(conversations).values({ realmId: realm.id }).returning();
  if (!members) throw new Error('An insert returned no row.');
  await tx.execute(sql`update realms set members_conversation_id = ${members.id} where id = ${realm.id}`);
  await tx.execute(
    sql`select create_log_head(${realm.id}, last_id_for_history(${model.realms.idsForHistory}))`,
  );
  await tx.execute(sql`select create_conversation_head(${realm.id}, ${members.id})`);
  await tx
    .insert(userGroups)
    .values(model.permissions.systemGroups.map((group) => ({ ...group, realmId: realm.id, isSystem: true })));
  // The bots belong to the server, so they are in no group and in no channel.
  const bot = { realmId: realm.id, role: roles.member, botType: botTypes.generic, isSystem: true };
  await tx.insert(tables.users).values([
    { ...bot, email: `notification-bot@${emailDomain}`, fullName: 'Notification Bot' },
    { ...bot, email: `welcome-bot@${emailDomain}`, fullName: 'Welcome Bot' },
  ]);
  return { ...realm, membersConversationId: members.id };
}
