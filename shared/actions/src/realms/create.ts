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
  // The row of the realm is written once: where it is on several servers, who writes it twice could wait for another realm.
  const [members] = await tx.execute<{ id: number }>(
    sql`select nextval('conversations_id_seq')::float8 as id`,
  );
  if (!members) throw new Error('A sequence returned no row.');
  const [realm] = await tx
    .insert(realms)
    .values({ name, displayName, membersConversationId: members.id })
    .returning();
  if (!realm) throw new Error('An insert returned no row.');
  await tx.insert(conversations).overridingSystemValue().values({ id: members.id, realmId: realm.id });
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
