import * as actions from '@parley/actions';
import { createEngine } from '@parley/engine';
import { deriveApiKey } from '@parley/http';
import type { ClusterBackends } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import { actorOf } from '@parley/model';

export interface Member {
  id: number;
  email: string;
  authorization: string;
}

/** The people and channels that a run happens among. */
export interface ChaosRealm {
  realmId: number;
  members: Member[];
  guests: Member[];
}

export const channelNames = { square: 'main square', club: 'the club', corner: 'quiet corner' } as const;

const membersOf = { square: Number.POSITIVE_INFINITY, club: 5, corner: 3 } as const;

/** Creates a realm with members, guests and three channels. Nodes serve one named `demo`, the default, at the bare host. */
export async function createChaosRealm(
  { databaseUrl, secret }: ClusterBackends,
  { name: realmName = 'demo', members, guests = 0 }: { name?: string; members: number; guests?: number },
): Promise<ChaosRealm> {
  await using engine = createEngine({
    databaseUrl,
    name: 'chaos',
    connectionsMax: 1,
    redis: null,
    secrets: [secret],
    clock: systemClock,
    logger: createLogger({ role: 'chaos', level: 'warn' }),
    partitions: 1,
  });
  const realm = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name: realmName, displayName: 'Chaos', emailDomain: 'chaos.example' }),
  );
  const home = { ...realm, host: 'localhost', emailDomain: 'chaos.example', url: 'http://localhost' };
  const createUser = async (name: string, role: 400 | 600) => {
    const input = { email: `${name.toLowerCase()}@chaos.example`, fullName: name, role };
    return (await engine.perform(realm.id, actions.users.create, { realm: home, ...input })).user;
  };
  const rows = [];
  for (let number = 1; number <= members; number += 1) rows.push(await createUser(`Member${number}`, 400));
  const guestRows = [];
  for (let number = 1; number <= guests; number += 1) guestRows.push(await createUser(`Guest${number}`, 600));
  const [founder] = rows;
  if (!founder) throw new Error('A realm needs members.');
  const { membersConversationId } = realm;
  const actor = actorOf(founder, { ...home, name: realmName, url: '', membersConversationId });
  for (const kind of ['square', 'club', 'corner'] as const) {
    const people = kind === 'square' ? [...rows, ...guestRows] : rows.slice(0, membersOf[kind]);
    const principals = people.map(({ id }) => id);
    const channel = { name: channelNames[kind], description: '', color: null };
    const creates = { isPrivate: kind === 'club', sharesHistory: true };
    const input = { channels: [channel], principals, creates, isStrict: true };
    await engine.perform(realm.id, actions.channels.subscribe, { actor, ...input });
  }
  const memberOf = ({ id, email, keyGeneration }: typeof founder): Member => {
    const key = deriveApiKey(secret, id, keyGeneration);
    return { id, email, authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  };
  return { realmId: realm.id, members: rows.map(memberOf), guests: guestRows.map(memberOf) };
}
