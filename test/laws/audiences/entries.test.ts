import { emailVisibilities } from '@parley/model';
import * as model from '@parley/model';
import type { Audience } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  type Params,
  type TestRealm,
  createChannel,
  getWorld,
  idsOf,
  leave,
  letSpectatorsIn,
  permit,
  realm,
  say,
  subscribe,
  succeed,
} from '../../support/index.ts';

type ChannelRow = NonNullable<Awaited<ReturnType<typeof model.access.findChannel>>>['channel'];

describe('an entry about a message names no more people than it must', () => {
  const rowOf = async ({ owner }: TestRealm, name: string): Promise<ChannelRow> => {
    const { engine } = await getWorld();
    const access = await engine.db.transaction((tx) => model.access.findChannel(tx, owner.actor, name));
    if (!access) throw new Error(`There is no channel ${name}.`);
    return access.channel;
  };

  const audienceOf = async (people: TestRealm, name: string, id: number): Promise<Audience> => {
    const { engine } = await getWorld();
    const place = { channel: await rowOf(people, name), people: null };
    return await engine.db.transaction((tx) => model.access.messageAudience(tx, place, [id]));
  };

  test('an entry in a public channel names those who left, in a private one nobody, and in a protected one the fewer', async () => {
    const people = await realm();
    const { owner, alice, bob, carol, guest } = people;
    const sharedHistory = { invite_only: true, history_public_to_subscribers: true };
    const protectedHistory = { invite_only: true, history_public_to_subscribers: false };
    await createChannel(owner, 'square', [alice, bob]);
    await createChannel(owner, 'vault', [alice], protectedHistory);
    await createChannel(owner, 'den', [alice, bob], sharedHistory);
    const whispered = await say(alice, 'den');
    const { conversationId: den } = await rowOf(people, 'den');
    const { conversationId: square } = await rowOf(people, 'square');
    const { conversationId: vault } = await rowOf(people, 'vault');
    const said = await say(alice, 'square');
    expect(await audienceOf(people, 'square', said)).toEqual({ conversations: [square] });
    await leave(bob, ['square']);
    expect(await audienceOf(people, 'square', said)).toEqual({ conversations: [square], users: [bob.id] });
    expect(await audienceOf(people, 'den', whispered)).toEqual({ conversations: [den] });
    await leave(bob, ['den']);
    expect(await audienceOf(people, 'den', whispered)).toEqual({ conversations: [den] });
    const early = await say(alice, 'vault');
    await subscribe(alice, 'vault', [bob]);
    expect(await audienceOf(people, 'vault', early)).toEqual({ users: [alice.id] });
    const late = await say(alice, 'vault');
    await subscribe(alice, 'vault', [guest]);
    expect(await audienceOf(people, 'vault', early)).toEqual({ users: [alice.id] });
    expect(await audienceOf(people, 'vault', late)).toEqual({ conversations: [vault], except: [guest.id] });
    await subscribe(alice, 'vault', [carol]);
    const latest = await say(alice, 'vault');
    expect(await audienceOf(people, 'vault', latest)).toEqual({ conversations: [vault] });
  });

  test('an entry about moved messages names those who received them before and are not in the channel now', async () => {
    const people = await realm();
    const { owner, alice, guest, moderator } = people;
    await letSpectatorsIn(people);
    await createChannel(owner, 'lobby', [alice, moderator, guest]);
    const moved = async (to: string, kind: Params) => {
      const id = await say(alice, 'lobby');
      const stream_id = await createChannel(owner, to, [owner, alice], kind);
      if (kind['invite_only']) await permit(people, 'can_subscribe_group', 'role:moderators', stream_id);
      await succeed(alice.patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_one' }));
      const { conversationId } = await rowOf(people, to);
      return { audience: await audienceOf(people, to, id), here: conversationId };
    };
    const { conversationId: lobby } = await rowOf(people, 'lobby');
    const open = await moved('open', {});
    expect(open.audience).toEqual({ conversations: [open.here, lobby], except: [guest.id] });
    const web = await moved('web', { is_web_public: true });
    expect(web.audience).toEqual({ conversations: [web.here, lobby] });
    const permitting = await moved('permitting', { invite_only: true, history_public_to_subscribers: true });
    expect(permitting.audience).toEqual({ conversations: [permitting.here], users: [moderator.id] });
  });
});

describe('an entry about an address names no more people than it must', () => {
  const inOrder = (ids?: number[]) => ids?.toSorted((a, b) => a - b);
  const sorted = (audience: Audience | null) =>
    audience && { ...audience, users: inOrder(audience.users), except: inOrder(audience.except) };

  test('an entry about an address leaves out those between two roles', async () => {
    const people = await realm();
    const { owner, admin, moderator, alice, guest } = people;
    const members = people.realm.membersConversationId;
    const { engine } = await getWorld();
    await engine.db.transaction(async (tx) => {
      const rules = await model.permissions.getRules(tx, people.realm.id);
      const of = (emailVisibility: number) => ({ ...alice.actor, emailVisibility });
      const audiences = async (visibility: number) => {
        const { withEmail, withoutEmail } = await model.access.emailAudiences(
          tx,
          people.realm,
          of(visibility),
          rules,
        );
        return [sorted(withEmail), sorted(withoutEmail)];
      };
      const staff = idsOf([owner, admin, moderator]);
      expect(await audiences(emailVisibilities.everyone)).toEqual([{}, null]);
      expect(await audiences(emailVisibilities.members)).toEqual([
        { conversations: [members], users: [alice.id], except: [] },
        { users: [guest.id], except: [alice.id] },
      ]);
      expect(await audiences(emailVisibilities.moderators)).toEqual([
        { users: inOrder([...staff, alice.id]), except: [] },
        { except: inOrder([alice.id, ...staff]) },
      ]);
      expect(await audiences(emailVisibilities.nobody)).toEqual([
        { users: [alice.id], except: [] },
        { except: [alice.id] },
      ]);
      const change = async (before: number, after: number) => {
        const { gainers, losers } = await model.access.emailVisibilityAudiences(
          tx,
          people.realm,
          of(before),
          of(after),
          rules,
        );
        return [gainers, losers];
      };
      expect(await change(emailVisibilities.administrators, emailVisibilities.moderators)).toEqual([
        { users: [moderator.id], except: [alice.id] },
        null,
      ]);
    });
  });
});
