import { readHeads, readTerm } from '@parley/log';
import { expect, vi } from 'vitest';

import { type Json, type Listener, type Person, getWorld, realm } from '../../support/index.ts';

/** How the terms of the servers end that hold a log, one after the other. */
export const servers = ['00000000000a1', '00000000000b2', '00000000000c3'];

/** From now on the database is that of another server, as far as whoever writes to the log can tell. */
export async function switchTo(server: number): Promise<void> {
  const { sql } = await getWorld();
  await sql.unsafe(`
    create or replace function log_term(p_epoch uuid) returns text language sql stable as $$
      select left(p_epoch::text, 8) || '${servers[server]}'
    $$`);
}

/** Returns where the log of a realm ends, and its epoch. */
async function headOf(realmId: number) {
  const { sql } = await getWorld();
  return (await readHeads(sql, [realmId]))[0];
}

export const epochOf = async (realmId: number) => (await headOf(realmId))?.epoch;

export async function send(from: Person, to: Person, content: string): Promise<number> {
  const { result, id } = await from.post('/messages', { type: 'direct', to: [to.id], content });
  expect(result).toBe('success');
  return Number(id);
}

/** Takes the log back to an entry, with the messages behind it, as a replica that lacks them has it. */
export async function lose(realmId: number, after: number): Promise<void> {
  const { sql } = await getWorld();
  const term = await readTerm(sql, realmId, after);
  await sql.begin(async (tx) => {
    await tx`
      delete from messages where id in (
        select (entry #>> '{event,message,id}')::bigint from event_log where realm_id = ${realmId} and seq > ${after}
      )`;
    await tx`delete from event_log where realm_id = ${realmId} and seq > ${after}`;
    await tx`update realm_heads set seq = ${after}, term = ${term} where realm_id = ${realmId}`;
  });
}

export const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

/** Polls, at another node if its port is given, until the queue is refused. */
export const untilTold = async (person: Person, phone: Listener, port?: number) =>
  await until(async () => (await pollOnce(person, phone, port)).code === 'BAD_EVENT_QUEUE_ID');

export async function pollOnce(
  person: Person,
  { queueId, lastEventId }: Listener,
  port?: number,
): Promise<Json> {
  const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: true };
  return (await person.ask('GET', '/events', params, port === undefined ? {} : { port })).body;
}

/** A realm in which Bob has heard of a message at this node. */
export async function heardSoFar() {
  await switchTo(0);
  const { alice, bob, carol, realm: home } = await realm();
  const phone = await bob.listen({ event_types: ['message'] });
  await send(alice, bob, 'kept');
  expect(await phone.waits()).toHaveLength(1);
  return { alice, bob, carol, id: home.id, phone, kept: (await headOf(home.id))?.seq ?? 0 };
}
