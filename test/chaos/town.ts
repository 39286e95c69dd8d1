import * as actions from '@parley/actions';
import { createEngine } from '@parley/engine';
import { deriveApiKey } from '@parley/http';
import type { Ground } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import { actorOf } from '@parley/model';

export interface Citizen {
  id: number;
  email: string;
  authorization: string;
}

/** The people and channels that a run happens among. */
export interface Town {
  realmId: number;
  citizens: Citizen[];
}

export const townChannels = { square: 'town square', club: 'the club', corner: 'quiet corner' } as const;

const membersOf = { square: Number.POSITIVE_INFINITY, club: 5, corner: 3 } as const;

/** Founds a realm named `demo`, which nodes serve at the bare host, with `size` members and three channels. */
export async function foundTown({ databaseUrl, secret }: Ground, size: number): Promise<Town> {
  await using engine = createEngine({
    databaseUrl,
    name: 'chaos',
    connectionsMax: 1,
    redis: null,
    clock: systemClock,
    logger: createLogger({ role: 'chaos', level: 'warn' }),
    partitions: 1,
  });
  const realm = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name: 'demo', displayName: 'Town' }),
  );
  const home = { id: realm.id, host: 'localhost' };
  const rows = [];
  for (let number = 1; number <= size; number += 1) {
    const citizen = {
      email: `citizen${number}@town.example`,
      fullName: `Citizen ${number}`,
      role: 400,
    } as const;
    rows.push((await engine.perform(realm.id, (tx) => actions.users.create(tx, home, citizen))).user);
  }
  const [founder] = rows;
  if (!founder) throw new Error('A town needs citizens.');
  const { membersConversationId } = realm;
  const actor = actorOf(founder, { ...home, name: 'demo', url: '', membersConversationId });
  for (const kind of ['square', 'club', 'corner'] as const) {
    const principals = rows.slice(0, membersOf[kind]).map(({ id }) => id);
    const channel = { name: townChannels[kind], description: '', color: null };
    const creates = { isPrivate: kind === 'club', sharesHistory: true };
    const input = { channels: [channel], principals, creates, isStrict: true };
    await engine.perform(realm.id, (tx) => actions.channels.subscribe(tx, actor, input));
  }
  return {
    realmId: realm.id,
    citizens: rows.map(({ id, email, keyGeneration }) => {
      const key = deriveApiKey(secret, id, keyGeneration);
      return { id, email, authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
    }),
  };
}
