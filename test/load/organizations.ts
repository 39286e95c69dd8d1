import * as actions from '@parley/actions';
import { type Engine, createEngine } from '@parley/engine';
import { deriveApiKey } from '@parley/http';
import type { ClusterBackends } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import { actorOf } from '@parley/model';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import { foundCrowd } from './crowd.ts';
import { fillHistory } from './history.ts';
import type { ChannelPlan, Population } from './scenarios.ts';
import { usualTopics } from './topics.ts';

interface Account {
  id: number;
  email: string;
  authorization: string;
}

export interface Channel extends ChannelPlan {
  id: number;
  name: string;
}

/** An organization as clients meet with it. */
export interface Organization {
  id: number;
  name: string;
  host: string;
  accounts: Account[];
  channels: Channel[];
}

const channelsPerCommit = 100;

/** Founds organizations with their people and channels, in bulk: nobody listens yet who would have to hear of them. */
export async function foundOrganizations(
  { databaseUrl, secret }: ClusterBackends,
  population: Population,
): Promise<Organization[]> {
  await using engine = createEngine({
    databaseUrl,
    name: 'load',
    connectionsMax: 2,
    redis: null,
    secrets: [secret],
    clock: systemClock,
    logger: createLogger({ role: 'load', level: 'warn' }),
    partitions: 1,
  });
  const organizations: Organization[] = [];
  for (let number = 1; number <= population.organizations; number += 1) {
    organizations.push(await found(engine, secret, `load${number}`, population));
  }
  if (population.crowd !== undefined) await foundCrowd(engine, secret, population.crowd);
  // What is measured is not a database that has not looked at its tables yet.
  await engine.sql`vacuum analyze`;
  return organizations;
}

async function found(
  engine: Engine,
  secret: string,
  name: string,
  { accounts, channels: plans, guests = 0, history = 0, written = 0 }: Population,
): Promise<Organization> {
  const { sql } = engine;
  const founded = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name, displayName: `Organization ${name}`, emailDomain: `${name}.invalid` }),
  );
  const realmId = founded.id;
  const host = `${name}.localhost`;
  const home = { ...founded, host, emailDomain: 'load.example', url: `http://${host}` };
  const input = { email: 'founder@load.example', fullName: 'Founder', role: 100 } as const;
  const { user } = await engine.perform(realmId, actions.users.create, { realm: home, ...input });
  const actor = actorOf(user, home);
  const people = await insertPeople(engine, realmId, { accounts, guests });
  const guestIds = people.slice(accounts - guests).map(({ id }) => id);
  const members = {
    conversationId: home.membersConversationId,
    joined: people.map(({ id }) => id),
    left: [],
  };
  await performAdHoc(engine, realmId, async () => ({ events: [], memberships: [members] }));

  const channels: Channel[] = [];
  for (let first = 0; first < plans.length; first += channelsPerCommit) {
    const some = plans.slice(first, first + channelsPerCommit);
    channels.push(...(await createChannels(some, first)));
  }
  return {
    id: realmId,
    name,
    host,
    accounts: people.map(({ id, email, key_generation }) => {
      const key = deriveApiKey(secret, id, key_generation);
      return { id, email, authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
    }),
    channels,
  };

  async function createChannels(some: readonly ChannelPlan[], firstNumber: number): Promise<Channel[]> {
    const named = some.map((plan, index) => ({ ...plan, name: `channel ${firstNumber + index}` }));
    for (const isPrivate of [true, false]) {
      const ofKind = named.filter((plan) => plan.isPrivate === isPrivate);
      if (ofKind.length === 0) continue;
      await performAdHoc(engine, realmId, async (tx) => {
        const { memberships = [] } = await actions.channels.subscribe(tx, {
          actor,
          channels: ofKind.map((plan) => ({ name: plan.name, description: '', color: null })),
          principals: [user.id],
          creates: { isPrivate, sharesHistory: true },
          isStrict: true,
        });
        return { events: [], memberships };
      });
    }
    const names = named.map((plan) => plan.name);
    const rows = await sql<{ id: number; conversation_id: number; name: string }[]>`
      select id, conversation_id, name from channels where realm_id = ${realmId} and name = any(${names})`;
    const made = named.map((plan) => {
      const row = rows.find((candidate) => candidate.name === plan.name);
      if (!row) throw new Error(`${plan.name} was not created.`);
      return { ...plan, id: row.id, conversationId: row.conversation_id };
    });
    await fillChannels(engine, realmId, made, { written, history: firstNumber === 0 ? history : 0 });
    const memberships = made.map(({ conversationId, members }) => ({
      conversationId,
      joined: [...members.flatMap((index) => people[index]?.id ?? []), ...guestIds],
      left: [],
    }));
    for (const { conversationId, joined } of memberships) {
      await sql`
        insert into conversation_members (realm_id, conversation_id, user_id, is_subscribed)
        select ${realmId}::int, ${conversationId}, id, false from unnest(${joined}::int[]) id`;
    }
    await performAdHoc(engine, realmId, async () => ({ events: [], memberships }));
    return made;
  }
}

/** Fills all channels as people use them, and the first of them with a long history. */
async function fillChannels(
  engine: Engine,
  realmId: number,
  channels: Parameters<typeof fillHistory>[2],
  { written, history }: { written: number; history: number },
): Promise<void> {
  await fillHistory(engine, realmId, channels, { count: written, topics: usualTopics });
  await fillHistory(engine, realmId, channels.slice(0, 1), { count: history, topics: ['before'] });
}

/** Accounts of members, and the last of them of guests. */
const insertPeople = (
  { sql }: Engine,
  realmId: number,
  { accounts, guests }: { accounts: number; guests: number },
) =>
  sql<{ id: number; email: string; key_generation: number }[]>`
    insert into users (realm_id, email, full_name, role, last_active_on)
    select ${realmId}, 'person' || n || '@load.example', 'Person ' || n,
      case when n > ${accounts - guests}::int then 600 else 400 end, current_date
    from generate_series(1, ${accounts}::int) n returning id, email, key_generation`;
