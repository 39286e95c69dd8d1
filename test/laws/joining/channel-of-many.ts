import { encodeMembers } from '@parley/db';

import { type Person, addMembers, emptyChannel, getWorld } from '../../support/index.ts';

/** A channel of so many, who joined at once long ago, and of alice. */
export async function channelOfMany(alice: Person, count: number): Promise<{ id: number; crowd: number[] }> {
  const { sql } = await getWorld();
  const id = await emptyChannel(alice, 'hall', [alice]);
  const crowd = await addMembers(alice.realm, count);
  const members = [alice.id, ...crowd];
  await sql`
    insert into conversation_members (realm_id, conversation_id, user_id, received)
    select realm_id, conversation_id, member, '{[1,)}' from channels, unnest(${crowd}::int[]) member where channels.id = ${id}`;
  await sql`
    update audiences set members = ${encodeMembers(members)}, size = ${members.length}
    where id = (select audience_id from conversation_heads join channels using (conversation_id) where channels.id = ${id})`;
  return { id, crowd };
}
