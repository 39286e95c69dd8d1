import { channelGroupNames, realmGroupRows, realmSettingRows, userGroupNames } from '@parley/protocol';
import { describe, expect, test, vi } from 'vitest';

import { isOfToday, testNothingLeftOut } from '../../support/by-day.ts';
import { type Json, getWorld, outcomeOf } from '../../support/index.ts';
import * as channels from './channels.ts';
import { type Ask, type Forbidden, prepareGround } from './ground.ts';
import * as organization from './organization.ts';
import * as people from './people.ts';

const table: Forbidden[] = [
  ...organization.ofSettings,
  ...organization.ofPermissions,
  ...channels.ofPermissions,
  ...channels.ofStates,
  ...people.ofGroups,
  ...people.ofAccounts,
];
const cases = table.map((one) => [`${one.setting}: ${one.action}`, one] as const);
/** By day a third of the actions come after their settings. */
const comingLast = cases.filter((_, index) => isOfToday(index, 3));
/** A sixth of the actions come first, too: the setting is refused then, which a third of those are that have to, or both are done. */
const comingFirst = cases.filter(([, { excludes }], index) => isOfToday(index, excludes ? 3 : 6));

/**
 * Holds the head of a log until two requests have decided, so that each has seen what was before either, and then lets
 * them into the log in this order. Answers with both outcomes.
 */
async function race(realmId: number, first: Ask, second: Ask): Promise<string[]> {
  const { sql } = await getWorld();
  const started: { reply: Promise<Json>; isOver: boolean }[] = [];
  const start = (ask: Ask) => {
    const one = { isOver: false, reply: ask().finally(() => (one.isOver = true)) };
    started.push(one);
  };
  const countWaiting = async () => {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.waiting ?? 0;
  };
  const untilDecided = () =>
    vi.waitUntil(
      async () => (await countWaiting()) + started.filter(({ isOver }) => isOver).length >= started.length,
      { timeout: 60_000, interval: 10 },
    );
  await sql.begin(async (tx) => {
    await tx`select from realm_heads where realm_id = ${realmId} for update`;
    for (const ask of [first, second]) {
      start(ask);
      await untilDecided();
    }
  });
  return await Promise.all(started.map(async ({ reply }) => outcomeOf(await reply)));
}

describe('what a setting forbids', () => {
  test.each(comingLast)(
    '(%s) is refused after it, although it began before',
    async (_, { prepare, isBesideLog }) => {
      const ground = await prepareGround();
      const { forbid, act } = await prepare(ground);
      const [set, acted] = await race(ground.realm.id, forbid, act);
      expect(set).toBe('ok');
      expect(acted === 'ok').toBe(isBesideLog ?? false);
    },
  );

  test.each(comingFirst)(
    '(%s) is done before it, although it began before',
    async (_, { prepare, excludes }) => {
      const ground = await prepareGround();
      const { forbid, act } = await prepare(ground);
      const [acted, set] = await race(ground.realm.id, act, forbid);
      expect(acted).toBe('ok');
      expect(set === 'ok').toBe(!excludes);
    },
  );
});

describe('the table', () => {
  testNothingLeftOut('actions in both orders', {
    left: 2 * cases.length - comingLast.length - comingFirst.length,
    of: 2 * cases.length,
  });

  const has = (setting: string) => table.some((one) => one.setting === setting);

  test('has every setting of an organization that forbids something', () => {
    const names = realmSettingRows.map(([name]) => name);
    expect(names.filter((name) => has(name) === organization.forbiddingNothing.includes(name))).toEqual([]);
  });

  test('has every permission of organizations, channels and groups', () => {
    const names = [...realmGroupRows.map(([name]) => name), ...channelGroupNames, ...userGroupNames];
    const nothing: string[] = organization.permittingNothing;
    expect(names.filter((name) => has(name) === nothing.includes(name))).toEqual([]);
  });
});
