import * as actions from '@parley/actions';
import { type Tx, readOnce } from '@parley/db';
import * as model from '@parley/model';
import { describe, expect, test } from 'vitest';

import { type TestRealm, createGroup, getWorld, realm, succeed } from '../support/index.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';

const change = ({ owner }: TestRealm) => succeed(owner.patch('/realm', { enable_read_receipts: true }));

class Undone extends Error {}

/** Rules that are remembered are worth having only if no reader can tell them from rules that are read. */
describe('remembered rules', () => {
  test('are those of the version that a change has raised', async () => {
    const people = await realm();
    const { engine } = await getWorld();
    const before = await model.permissions.getRules(engine.db, people.realm.id);
    expect(
      await model.permissions.getRules(engine.db, people.realm.id),
      'what is unchanged is not read again',
    ).toBe(before);
    await change(people);
    const after = await model.permissions.getRules(engine.db, people.realm.id);
    expect(after.version).toBeGreaterThan(before.version);
    expect([before.settings.enable_read_receipts, after.settings.enable_read_receipts]).toEqual([
      false,
      true,
    ]);
  });

  test('do not hold who is in which group, and change only if a permission names the group', async () => {
    const people = await realm();
    const { owner, alice, bob } = people;
    const { engine } = await getWorld();
    const [inner, outer] = [await createGroup(alice, 'inner'), await createGroup(alice, 'outer')];
    await succeed(alice.post(`/user_groups/${outer}/subgroups`, { add: [inner] }));
    const change = async (params: object) => {
      const before = await model.permissions.getRules(engine.db, people.realm.id);
      await succeed(alice.post(`/user_groups/${inner}/members`, { ...params }));
      return (await model.permissions.getRules(engine.db, people.realm.id)).version - before.version;
    };
    expect(await change({ add: [bob.id] })).toBe(0);
    await succeed(owner.patch('/realm', { can_add_custom_emoji_group: { new: outer } }));
    expect(await change({ delete: [bob.id] }), 'it is in the group that is named').toBe(1);
  });

  test('are not what a transaction has changed and taken back', async () => {
    const { realm: home, owner } = await realm();
    const { engine } = await getWorld();
    await model.permissions.getRules(engine.db, home.id);
    const undone = performAdHoc(engine, home.id, async (tx) => {
      const wanted = {
        settings: { enable_read_receipts: true },
        permissions: {},
        nowMs: 0,
      };
      await actions.realms.edit(tx, { actor: owner.actor, ...wanted });
      expect(
        (await model.permissions.getRules(tx, home.id)).settings.enable_read_receipts,
        'seen by itself',
      ).toBe(true);
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
    expect((await model.permissions.getRules(engine.db, home.id)).settings.enable_read_receipts).toBe(false);
  });

  test('are those of a snapshot in the snapshot, whatever has been remembered since', async () => {
    const people = await realm();
    const { engine } = await getWorld();
    await engine.snapshot(async (tx) => {
      const before = await model.permissions.getRules(tx, people.realm.id);
      await change(people);
      const now = await model.permissions.getRules(engine.db, people.realm.id);
      const still = await model.permissions.getRules(tx, people.realm.id);
      expect(now.settings.enable_read_receipts).toBe(true);
      expect([still.version, still.settings.enable_read_receipts]).toEqual([before.version, false]);
    });
    expect((await model.permissions.getRules(engine.db, people.realm.id)).settings.enable_read_receipts).toBe(
      true,
    );
  });

  test('are read once in a snapshot, and each time elsewhere', async () => {
    const { engine } = await getWorld();
    let times = 0;
    const read = (tx: Tx) => readOnce(tx, 'times', async () => (times += 1));
    expect(await engine.snapshot(async (tx) => [await read(tx), await read(tx)])).toEqual([1, 1]);
    expect(await engine.snapshot(read)).toBe(2);
    expect([await read(engine.db), await read(engine.db)]).toEqual([3, 4]);
  });
});
