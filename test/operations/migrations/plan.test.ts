import { planMigrations } from '@parley/db';
import { measureMigrations } from '@parley/worker';
import { describe, expect, test } from 'vitest';

import { parleyJson, scrape, withProcesses } from '../../support/index.ts';
import { createOutdated, things } from './outdated.ts';

const online = `-- online
alter table things add column weight int;
-- backfill things
update things set weight = 6 / (3000 - id) where portion;
create index concurrently things_weight on things (weight);
`;

describe('what is left to migrate', () => {
  test('is planned by steps, with the rows to fill, and how far each is', async () => {
    await using database = await createOutdated(
      'create table more (id int);\ncreate table most (id int);',
      online,
    );
    const { sql, folder } = database;
    await sql.unsafe(things(4000));
    const [plain, before] = await planMigrations(sql, folder);
    expect(plain).toMatchObject({ online: false, steps: [{ what: '2 statements at once', state: 'waits' }] });
    expect(before).toMatchObject({
      online: true,
      steps: [
        { what: 'alter table things add column weight int', kind: 'brief', state: 'waits' },
        {
          what: 'fills things in portions',
          kind: 'backfill',
          state: 'waits',
          rows: { done: 0, total: 4000 },
        },
        { kind: 'concurrent', state: 'waits' },
      ],
    });
    expect(await sql`select to_regclass('more') as more`).toEqual([{ more: null }]);

    await expect(database.migrate()).rejects.toThrow('division by zero');
    const [after, ...none] = await planMigrations(sql, folder);
    expect(none).toEqual([]);
    expect(after?.steps.map(({ state }) => state)).toEqual(['ended', 'begun', 'waits']);
    expect(after?.steps[1]?.rows?.done).toBeGreaterThan(0);
    expect(after?.steps[1]?.rows?.done).toBeLessThan(3000);

    await sql`delete from things where id = 3000`;
    await database.migrate();
    expect(await planMigrations(sql, folder)).toEqual([]);
  });

  test('is measured by workers', async () => {
    await using database = await createOutdated(online);
    await database.sql.unsafe(things(4000));
    await expect(database.migrate()).rejects.toThrow('division by zero');
    const measuring = measureMigrations(database.sql);
    const measured = await scrape();
    measuring[Symbol.dispose]();
    expect(measured.of('parley_migrations_pending')).toBe(0);
    const labels = { step: '2', table: 'things' };
    const done = measured.of('parley_backfill_rows', { ...labels, state: 'done' });
    expect(done).toBeGreaterThan(0);
    expect(measured.of('parley_backfill_rows', { ...labels, state: 'total' })).toBe(4000);
  });

  test('is nothing where the command line finds the database up to date', withProcesses, async () => {
    expect(await parleyJson(['migrate', '--plan'])).toEqual({ pending: [] });
  });
});
