import {
  type Json,
  type Person,
  type TestRealm,
  emptyChannel,
  getWorld,
  realm,
  say,
} from '../../support/index.ts';

/** What the settings are about: a public channel of the owner with a message of Alice's, and another. */
export interface Ground extends TestRealm {
  /** The owner, Alice and Bob are in both. */
  news: number;
  talk: number;
  /** Alice's, in the topic `lunch` of `news`. */
  said: number;
  /** Ids of the groups that every organization has. */
  groups: Record<string, number>;
}

export async function prepareGround(): Promise<Ground> {
  const home = await realm();
  const { owner, alice, bob } = home;
  const { sql } = await getWorld();
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from user_groups where realm_id = ${home.realm.id} and is_system`;
  const groups = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  const news = await emptyChannel(owner, 'news', [owner, alice, bob]);
  const talk = await emptyChannel(owner, 'talk', [owner, alice, bob]);
  return { ...home, news, talk, groups, said: await say(alice, 'news', 'lunch') };
}

/** A request that is sent when it is called. */
export type Ask = () => Promise<Json>;

/** A setting of something, and an action that it forbids. */
export interface Forbidden {
  /** The setting, as the catalogue names it, or a state that forbids. */
  setting: string;
  action: string;
  /** What was done is refused to the setting: it cannot come after the action. */
  excludes?: true;
  /** The action has no position in the log: it waits for none, and whatever waits comes after it. */
  isBesideLog?: true;
  /** Prepares both, and returns what sets the setting and what it forbids. */
  readonly prepare: (ground: Ground) => Promise<{ forbid: Ask; act: Ask }> | { forbid: Ask; act: Ask };
}

/** The value of a permission that nobody has. */
export const nobody = ({ groups }: Ground) => ({ new: groups['role:nobody'] });

/** The organization's settings, changed by its owner. */
export const setRealm =
  ({ owner }: Ground, params: Json): Ask =>
  () =>
    owner.patch('/realm', params);

/** A channel's settings, changed by the owner. */
export const setChannel =
  ({ owner }: Ground, id: number, params: Json): Ask =>
  () =>
    owner.patch(`/streams/${id}`, params);

/** A message to a channel, as its sender's program sends it. */
export const sends =
  (by: Person, to: number, content = 'hello', topic = 'lunch'): Ask =>
  () =>
    by.post('/messages', { type: 'channel', to, topic, content });

/** A request of Alice, who is a member. */
export const byAlice =
  (
    method: 'patch' | 'post' | 'delete',
    path: (ground: Ground) => string,
    params: (ground: Ground) => Json = () => ({}),
  ) =>
  (ground: Ground): Ask =>
  () =>
    ground.alice[method](path(ground), params(ground));
