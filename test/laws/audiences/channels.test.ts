import * as model from '@parley/model';
import { type ApiError, type ChannelGroupSetting, type GroupSetting, roles } from '@parley/protocol';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type Person,
  type TestRealm,
  createGroup,
  getWorld,
  groupId,
  idsOf,
  personIn,
  realm,
  subscribe,
  succeed,
} from '../../support/index.ts';
import { namesOf, reached } from './expand.ts';

type ChannelRow = model.access.ChannelAccess['channel'];

/** Who is named by a channel's permission, beside its role: nobody, some people, everyone of a role. */
const namings = {
  nobody: { people: [], roles: [] },
  'bob and guests': { people: ['bob', 'guest', 'visitor'], roles: [] },
  moderators: { people: [], roles: ['moderator'] },
  // The members wait to be full members.
  'full members': { people: [], roles: ['moderator'] },
  'members and guests': {
    people: ['guest', 'visitor'],
    roles: ['moderator', 'alice', 'bob', 'carol', 'bot'],
  },
  'a group that a group is in': { people: ['carol', 'visitor'], roles: [] },
} as const;
type Naming = keyof typeof namings;

const permissions = [
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_administer_channel_group',
] as const;
type Permission = (typeof permissions)[number] & ChannelGroupSetting;

/** What a channel is like, as far as it decides who may see it. */
interface Shape {
  isPrivate: boolean;
  isWebPublic: boolean;
  permission: Permission;
  naming: Naming;
}

const shapes: Shape[] = [
  { isPrivate: false, isWebPublic: false, permission: 'can_subscribe_group', naming: 'bob and guests' },
  { isPrivate: false, isWebPublic: true, permission: 'can_subscribe_group', naming: 'nobody' },
  ...permissions.flatMap((permission) =>
    (Object.keys(namings) as Naming[]).map((naming) => ({
      isPrivate: true,
      isWebPublic: false,
      permission,
      naming,
    })),
  ),
];
const titleOf = ({ isPrivate, isWebPublic, permission, naming }: Shape) =>
  isWebPublic ? 'web-public' : isPrivate ? `private, ${permission} names ${naming}` : 'public';

const kinds = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'visitor', 'bot'] as const;
type Kind = (typeof kinds)[number];
const isGuest = (kind: Kind) => kind === 'guest' || kind === 'visitor';
/** Alice and the guest are subscribed; the visitor is another guest. */
const subscribers: readonly Kind[] = ['alice', 'guest'];

const isNamed = ({ permission, naming }: Shape, by: readonly Permission[], kind: Kind): boolean => {
  const { people, roles } = namings[naming];
  const isOfRole =
    roles.some((role) => role === kind) || (roles.length > 0 && ['owner', 'admin'].includes(kind));
  return by.includes(permission) && (people.some((name) => name === kind) || isOfRole);
};

/** Who may read a channel: a plain reading of the rules. */
const reads = (shape: Shape, kind: Kind, isSubscribed: boolean): boolean =>
  isSubscribed ||
  shape.isWebPublic ||
  (!isGuest(kind) &&
    (!shape.isPrivate || isNamed(shape, ['can_subscribe_group', 'can_add_subscribers_group'], kind)));

/** Who may know of it. */
const sees = (shape: Shape, kind: Kind, isSubscribed: boolean): boolean =>
  reads(shape, kind, isSubscribed) ||
  kind === 'owner' ||
  kind === 'admin' ||
  (!isGuest(kind) && isNamed(shape, ['can_administer_channel_group'], kind));

describe('who may see and read a channel', () => {
  let people: Record<Kind, Person>;
  let everyone: Person[];
  let home: TestRealm['realm'];
  let values: Record<Naming, GroupSetting>;

  beforeAll(async () => {
    const before = await realm();
    const visitor = await before.join({ name: 'Visitor', role: roles.guest });
    const { owner, alice, bob, carol, guest } = before;
    home = before.realm;
    await succeed(owner.patch('/realm', { waiting_period_threshold: 3 }));
    const group = await createGroup(owner, 'outer', [], {
      subgroups: [await createGroup(owner, 'inner', [carol, visitor])],
    });
    await subscribe(alice, 'room', [alice, guest], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    await subscribe(alice, 'other', [alice, bob]);
    const idOf = async (name: string) => (await groupId(owner, name)) ?? 0;
    values = {
      nobody: await idOf('role:nobody'),
      'bob and guests': { direct_members: idsOf([bob, guest, visitor]), direct_subgroups: [] },
      moderators: await idOf('role:moderators'),
      'full members': await idOf('role:fullmembers'),
      'members and guests': {
        direct_members: idsOf([guest, visitor]),
        direct_subgroups: [await idOf('role:members')],
      },
      'a group that a group is in': group,
    };
    // As they are now, with their groups.
    everyone = await Promise.all(kinds.map((kind) => personIn(home.name, { ...before, visitor }[kind].id)));
    people = Object.fromEntries(kinds.map((kind, index) => [kind, everyone[index]])) as Record<Kind, Person>;
  });

  /** The channel as it would be in this shape. */
  function shaped(channel: ChannelRow, { isPrivate, isWebPublic, permission, naming }: Shape): ChannelRow {
    const none = Object.fromEntries(permissions.map((name) => [name, values.nobody]));
    return {
      ...channel,
      isPrivate,
      isWebPublic,
      groupSettings: { ...channel.groupSettings, ...none, [permission]: values[naming] },
    };
  }

  const inTransaction = async <Result>(
    run: (context: {
      tx: Parameters<typeof model.permissions.getRules>[0];
      rules: Awaited<ReturnType<typeof model.permissions.getRules>>;
      room: ChannelRow;
    }) => Promise<Result>,
  ): Promise<Result> => {
    const { engine } = await getWorld();
    return await engine.db.transaction(async (tx) => {
      const rules = await model.permissions.getRules(tx, home.id);
      const room = await model.access.findChannel(tx, people.owner.actor, 'room');
      if (!room) throw new Error('There is no room.');
      return await run({ tx, rules, room: room.channel });
    });
  };

  test.each(shapes.map((shape) => [titleOf(shape), shape] as const))(
    '%s: each, and the audience of all',
    async (_, shape) => {
      await inTransaction(async ({ tx, rules, room }) => {
        const channel = shaped(room, shape);
        for (const kind of kinds) {
          for (const isSubscribed of [true, false]) {
            const access = { channel, isSubscribed };
            const { actor } = people[kind];
            const found = {
              sees: model.access.maySeeChannel(actor, access, rules),
              reads: model.access.mayReadChannel(actor, access, rules),
            };
            const expected = {
              sees: sees(shape, kind, isSubscribed),
              reads: reads(shape, kind, isSubscribed),
            };
            expect(found, `${kind}, ${isSubscribed ? '' : 'not '}subscribed`).toEqual(expected);
          }
        }
        const audience = await model.access.channelAudience(tx, home, channel, rules);
        const seeing = kinds.filter((kind) => sees(shape, kind, subscribers.includes(kind)));
        expect(await reached(tx, audience, everyone)).toEqual(namesOf(seeing.map((kind) => people[kind])));
      });
    },
  );

  test('a change tells each outsider who gains, keeps or loses sight of it, and each subscriber that it is theirs', async () => {
    await inTransaction(async ({ tx, rules, room }) => {
      for (const before of shapes) {
        for (const after of shapes) {
          const versions = [shaped(room, before), shaped(room, after)] as const;
          const ids = idsOf(subscribers.map((kind) => people[kind]));
          const change = await model.access.channelAccessChange(tx, home, versions, ids, rules);
          const outsiders = kinds.filter((kind) => !subscribers.includes(kind));
          const those = (is: (saw: boolean, sees: boolean) => boolean) =>
            namesOf(
              outsiders
                .filter((kind) => is(sees(before, kind, false), sees(after, kind, false)))
                .map((kind) => people[kind]),
            );
          const told = {
            gain: await reached(tx, change.gain, everyone),
            keep: await reached(tx, change.keep, everyone),
            lose: await reached(tx, change.lose, everyone),
          };
          expect(told, `${titleOf(before)} → ${titleOf(after)}`).toEqual({
            gain: those((saw, seesNow) => !saw && seesNow),
            keep: [
              ...those((saw, seesNow) => saw && seesNow),
              ...namesOf([people.alice, people.guest]),
            ].sort(),
            lose: those((saw, seesNow) => saw && !seesNow),
          });
        }
      }
    });
  });

  test('nobody gains or loses sight of a channel that stays as it is', async () => {
    await inTransaction(async ({ tx, rules, room }) => {
      for (const shape of shapes) {
        const channel = shaped(room, shape);
        const change = await model.access.channelAccessChange(tx, home, [channel, channel], [], rules);
        expect(change, titleOf(shape)).toMatchObject({ gain: null, lose: null });
      }
    });
  });

  test('a channel is found by id and by name, by those who may see it', async () => {
    const { realm: elsewhere, owner: stranger } = await realm();
    await subscribe(stranger, 'room', [stranger]);
    await inTransaction(async ({ tx, rules, room }) => {
      for (const kind of kinds) {
        const { actor } = people[kind];
        const isSubscribed = subscribers.includes(kind);
        const visible = await model.access.listVisibleChannels(tx, actor);
        expect(await model.access.listVisibleChannels(tx, actor, rules)).toEqual(visible);
        const listed = visible.map(({ channel }) => channel.name);
        const isSeen = isSubscribed || kind === 'owner' || kind === 'admin';
        expect(listed.includes('room'), kind).toBe(isSeen);
        for (const which of [room.id, 'room', 'ROOM']) {
          expect(await model.access.findChannel(tx, actor, which)).toMatchObject({
            channel: { id: room.id },
            isSubscribed,
          });
          const outcomes = [model.access.getVisibleChannel, model.access.getReadableChannel].map((get) =>
            get(tx, actor, which).then(
              ({ channel }) => channel.id,
              ({ code, message }: ApiError) => `${code}: ${message}`,
            ),
          );
          const refusal = `BAD_REQUEST: ${typeof which === 'number' ? 'This channel does not exist.' : `There is no channel called '${which}'.`}`;
          expect(await Promise.all(outcomes), `${kind}: ${which}`).toEqual([
            isSeen ? room.id : refusal,
            isSubscribed ? room.id : refusal,
          ]);
        }
      }
      const [own] = (await model.access.listVisibleChannels(tx, stranger.actor)).filter(
        ({ channel }) => channel.name === 'room',
      );
      expect(own?.channel.realmId).toBe(elsewhere.id);
      for (const none of [own?.channel.id ?? 0, -1, 2 ** 40, 1.5, 'nowhere', '']) {
        expect(await model.access.findChannel(tx, people.owner.actor, none), String(none)).toBeUndefined();
      }
    });
  });

  test('channels are listed by name, whatever its case', async () => {
    await subscribe(people.alice, 'Zoo', [people.alice]);
    await subscribe(people.alice, 'apple', [people.alice]);
    await inTransaction(async ({ tx }) => {
      const names = (await model.access.listVisibleChannels(tx, people.alice.actor)).map(
        ({ channel }) => channel.name,
      );
      expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
      expect(names).toEqual(expect.arrayContaining(['apple', 'other', 'room', 'Zoo']));
    });
  });
});
