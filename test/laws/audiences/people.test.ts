import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { roles } from '@parley/protocol';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type Person,
  type TestRealm,
  getWorld,
  idsOf,
  permit,
  realm,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { namesOf, reached } from './expand.ts';

/** The highest role number that sees an address, by its owner's setting, as the contract numbers them. */
const seenUpTo: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

describe.each([
  ['sees everyone', false],
  ['sees those they talk with', true],
])('in an organization where a guest %s', (_, isRestricted) => {
  let people: TestRealm;
  let everyone: Person[];
  let gina: Person;
  let guestBot: Person;
  /** A guest who shares nothing with anybody. */
  let lone: Person;
  /** Whom each guest may access. */
  let seenBy: Map<Person, Person[]>;

  beforeAll(async () => {
    people = await realm();
    const { owner, alice, bob, carol, guest } = people;
    if (isRestricted) await permit(people, 'can_access_all_users_group', 'role:members');
    gina = await people.join({ name: 'Gina', role: roles.guest });
    lone = await people.join({ name: 'Lone', role: roles.guest });
    guestBot = await people.join({ name: 'Guestbot', botType: 1, botOwnerId: guest.id });
    const gone = await people.join({ name: 'Gone', role: roles.guest });
    await subscribe(owner, 'hall', [alice, guest, gone]);
    await subscribe(owner, 'gallery', [carol, gina]);
    await tell(bob, [guest]);
    await tell(carol, [guest, gina]);
    await succeed(owner.delete(`/users/${gone.id}`));
    everyone = [...Object.values(people).filter(isPerson), gina, lone, guestBot];
    seenBy = new Map([
      [guest, [guest, alice, bob, gina, carol, guestBot]],
      [gina, [gina, carol, guest]],
      [lone, [lone]],
    ]);
  });

  const isPerson = (value: object): value is Person => 'actor' in value;

  const may = (viewer: Person, user: Person): boolean => {
    const seen = seenBy.get(viewer);
    return !isRestricted || !seen || seen.includes(user);
  };

  const inTransaction = async (
    run: (
      tx: Parameters<typeof model.permissions.getRules>[0],
      rules: Awaited<ReturnType<typeof model.permissions.getRules>>,
    ) => Promise<void>,
  ): Promise<void> => {
    const { engine } = await getWorld();
    await engine.db.transaction(async (tx) => run(tx, await model.permissions.getRules(tx, people.realm.id)));
  };

  test('each may access some, and those are told of them', async () => {
    await inTransaction(async (tx, rules) => {
      expect(model.access.restrictsGuests(rules)).toBe(isRestricted);
      expect(await model.access.listGuestIds(tx, people.realm.id)).toEqual(idsOf([people.guest, gina, lone]));
      const all = everyone.map(({ id, name }) => ({ id, name }));
      for (const viewer of everyone) {
        const seen = namesOf(everyone.filter((user) => may(viewer, user)));
        const found = await model.access.filterAccessible(tx, viewer.actor, all);
        expect(found.map(({ name }) => name).sort(), viewer.name).toEqual(seen);
        const unseen = await model.access.inaccessibleUserIds(tx, viewer.actor, idsOf(everyone));
        expect(namesOf(everyone.filter(({ id }) => !unseen.has(id))), viewer.name).toEqual(seen);
      }
      expect(await model.access.inaccessibleUserIds(tx, gina.actor, [])).toEqual(new Set());
      for (const user of everyone) {
        const viewers = everyone.filter((viewer) => may(viewer, user));
        const audience = await model.access.userAudience(tx, people.realm, user, rules);
        expect(await reached(tx, audience, everyone), user.name).toEqual(namesOf(viewers));
        const others = [people.guest, gina, lone].filter((viewer) => !may(viewer, user));
        expect(await model.access.guestsWithoutAccess(tx, people.realm.id, user, rules)).toEqual(
          idsOf(others),
        );
      }
    });
  });

  test('guests in a channel who may not access somebody are those of its subscribers', async () => {
    await inTransaction(async (tx, rules) => {
      const { owner, alice, carol, guest } = people;
      const hall = await model.access.findChannel(tx, owner.actor, 'hall');
      if (!hall) throw new Error('There is no hall.');
      const found = async (user: Person) =>
        await model.access.subscribersWithoutAccess(tx, rules, hall.channel, user);
      expect(await found(alice)).toEqual([]);
      expect(await found(carol)).toEqual([]);
      expect(await found(owner)).toEqual(isRestricted ? [guest.id] : []);
    });
  });

  test('an address is seen by whom its owner lets, and they are told of it', async () => {
    await inTransaction(async (tx, rules) => {
      for (const user of [people.owner, people.moderator, people.alice, people.guest]) {
        const withVisibility = (emailVisibility: number): Actor => ({ ...user.actor, emailVisibility });
        const viewers = everyone.filter((viewer) => may(viewer, user));
        const seers = (visibility: number) =>
          viewers.filter(({ actor, id }) => id === user.id || actor.role <= (seenUpTo[visibility] ?? 0));
        for (const visibility of [1, 2, 3, 4, 5]) {
          const title = `${user.name}, ${visibility}`;
          const shown = withVisibility(visibility);
          const seeing = seers(visibility);
          for (const viewer of viewers) {
            expect(model.access.maySeeEmail(viewer.actor, shown), title).toBe(seeing.includes(viewer));
            expect(model.access.maySeeEmail(viewer.actor, { ...shown, botType: 1 }), title).toBe(true);
          }
          const audiences = await model.access.emailAudiences(tx, people.realm, shown, rules);
          expect(await reached(tx, audiences.withEmail, everyone), title).toEqual(namesOf(seeing));
          expect(await reached(tx, audiences.withoutEmail, everyone), title).toEqual(
            namesOf(viewers.filter((viewer) => !seeing.includes(viewer))),
          );
          for (const other of [1, 2, 3, 4, 5]) {
            const after = withVisibility(other);
            const { gainers, losers } = await model.access.emailVisibilityAudiences(
              tx,
              people.realm,
              shown,
              after,
              rules,
            );
            const seeingAfter = seers(other);
            expect(await reached(tx, gainers, everyone), `${title} → ${other}`).toEqual(
              namesOf(seeingAfter.filter((viewer) => !seeing.includes(viewer))),
            );
            expect(await reached(tx, losers, everyone), `${title} → ${other}`).toEqual(
              namesOf(seeing.filter((viewer) => !seeingAfter.includes(viewer))),
            );
          }
        }
      }
    });
  });
});
