import { type Sql, encodeMembers } from '@parley/db';

import { type Writing, inTransaction } from './writing.ts';

/** Conversations whose audiences are written in one transaction. */
const conversationsPerStep = 200;

/**
 * Makes what follows from the rows: who is in each conversation, its first message, and what uploads take. Doing it
 * again changes nothing.
 */
export async function completeConversations(sql: Sql, realmId: number): Promise<void> {
  for (let after = 0; ;) {
    const last = await inTransaction(sql, (tx) => completeSome(tx, realmId, after));
    if (last === null) return;
    after = last;
  }
}

async function completeSome(tx: Writing, realmId: number, after: number): Promise<number | null> {
  const conversations = await tx<{ id: number; isDirect: boolean; audience: number | null }[]>`
    select c.id, c.people is not null as "isDirect", h.audience_id as audience
    from conversations c join conversation_heads h on h.realm_id = c.realm_id and h.conversation_id = c.id
    where c.realm_id = ${realmId} and c.id > ${after} order by c.id limit ${conversationsPerStep}`;
  for (const { id, isDirect, audience } of conversations) {
    if (audience !== null) continue;
    // Whoever receives what comes next is in the audience. Direct messages name their readers themselves.
    const members = isDirect
      ? []
      : await tx<{ id: number }[]>`
          select user_id as id from conversation_members
          where realm_id = ${realmId} and conversation_id = ${id} and upper_inf(received)`;
    const ids = members.map((one) => one.id);
    await tx`
      with made as (
        insert into audiences (realm_id, members, size) values (${realmId}, ${encodeMembers(ids)}, ${ids.length})
        returning id
      )
      update conversation_heads h set audience_id = (select id from made), first_message_id = coalesce(
        (
          select first.id from channels c cross join lateral (
            select m.id from messages m where m.realm_id = ${realmId} and m.channel_id = c.id order by m.id limit 1
          ) first
          where c.realm_id = ${realmId} and c.conversation_id = ${id}
        ),
        (
          select min(m.id) from messages m
          where m.realm_id = ${realmId} and m.conversation_id = ${id} and m.channel_id is null
        )
      ) where h.realm_id = ${realmId} and h.conversation_id = ${id}`;
  }
  return conversations.at(-1)?.id ?? null;
}

/** Makes a realm visible: from then on it is served. */
export async function openRealm(
  tx: Writing,
  realmId: number,
  {
    name,
    membersConversationId,
    isActive,
  }: { name: string; membersConversationId: number; isActive: boolean },
): Promise<void> {
  await tx`
    insert into upload_usage (realm_id, bytes)
    select ${realmId}, coalesce(sum(size), 0) from attachments where realm_id = ${realmId}
    on conflict (realm_id) do update set bytes = excluded.bytes`;
  // What a search engine was fed while rows were still being read is begun anew.
  await tx`delete from search_engine_cursors where realm_id = ${realmId}`;
  await tx`
    update realms set name = ${name}, members_conversation_id = ${membersConversationId}, is_active = ${isActive}
    where id = ${realmId}`;
}
