import { describe, expect, test } from 'vitest';

import { createOutdated, things } from './outdated.ts';

const fill = `-- online
alter table things add column weight int;
-- backfill things t
update things t set weight = t.id * 2 where portion and t.weight is null;
alter table things add constraint things_have_weight check (weight is not null) not valid;
alter table things validate constraint things_have_weight;
`;

describe('a backfill', () => {
  test('fills every row, in portions, before the next step', async () => {
    await using database = await createOutdated(fill);
    await database.sql.unsafe(things(12_345));
    await database.migrate();
    const [row] = await database.sql`
      select count(*)::int as rows, count(distinct xmin::text)::int as portions,
        bool_and(weight = id * 2) as filled from things`;
    expect(row).toMatchObject({ rows: 12_345, filled: true });
    expect(row?.['portions']).toBeGreaterThan(2);
    expect(await database.isCurrent()).toBe(true);
    expect(database.lines).toContainEqual(expect.stringMatching(/went over all 12345 rows of things/));
  });

  test('goes on where it was killed, and no row is filled twice', async () => {
    await using database = await createOutdated(fill.replace('and t.weight is null', ''));
    await database.sql.unsafe(`${things(20_000)}
      create table fillings (id bigint);
      create function note_filling() returns trigger language plpgsql as $$
      begin insert into fillings values (new.id); return new; end $$;
      create trigger note_filling after update on things for each row execute function note_filling();`);
    let kills = 0;
    for (let ended = false; !ended;) {
      const migrating = database.migrate().then(
        () => true,
        () => false,
      );
      const before = await doneOf();
      // It is killed once it got further; it may have ended by then.
      await expect
        .poll(async () => (await doneOf()) > before || (await database.isCurrent()), { timeout: 60_000 })
        .toBe(true);
      if (kills < 5) {
        await database.killMigration();
        kills += 1;
      }
      ended = await migrating;
    }
    const [row] = await database.sql`
      select count(*)::int as all, count(distinct id)::int as rows from fillings`;
    expect(row).toEqual({ all: 20_000, rows: 20_000 });

    async function doneOf() {
      const [row] = await database.sql<{ done: number }[]>`
        select coalesce(sum(rows_done), 0)::int as done from drizzle.migration_steps`;
      return row?.done ?? 0;
    }
  });

  test('fills a portion again that could not be committed', async () => {
    await using database = await createOutdated(fill);
    await database.sql.unsafe(`${things(2000)}
      create function refuse() returns trigger language plpgsql as $$
      begin if new.id = 1500 then raise 'not now'; end if; return new; end $$;
      create constraint trigger refuse after update on things
        deferrable initially deferred for each row execute function refuse();`);
    await expect(database.migrate()).rejects.toThrow('not now');
    await database.sql`drop trigger refuse on things`;
    await database.migrate();
    expect(await database.sql`select from things where weight = id * 2`).toHaveLength(2000);
  });

  test('goes over keys of several columns, texts among them, once', async () => {
    await using database = await createOutdated(`-- online
-- backfill pairs
update pairs set filled = filled + 1 where portion;`);
    await database.sql`create table pairs (realm int, name text, filled int not null default 0, primary key (realm, name))`;
    await database.sql`
      insert into pairs (realm, name)
      select n % 7, case when n % 2 = 0 then 'o''Brien\\ $1 ' else 'Ä ' end || n from generate_series(1, 3000) n`;
    await database.migrate();
    expect(await database.sql`select filled, count(*)::int as rows from pairs group by 1`).toEqual([
      { filled: 1, rows: 3000 },
    ]);
  });

  test('does not wait long for a row that somebody holds, and fills it later', async () => {
    await using database = await createOutdated(`-- online
-- backfill things
update things set size = id where portion;`);
    await database.sql.unsafe(things(100));
    const holder = await database.hold('select from things where id = 50 for no key update');
    let freed: Promise<void> | undefined;
    const say = (line: string) => {
      if (line.includes('found its locks taken')) freed ??= Promise.resolve(holder[Symbol.asyncDispose]());
    };
    const patience = { lockMs: 50, triesMax: 10_000, firstPauseMs: 1, maxPauseMs: 1 };
    await database.migrate({ say, patience });
    expect(freed).toBeDefined();
    await freed;
    expect(await database.sql`select from things where size is null`).toHaveLength(0);
  });

  test('ends at once where the table is empty', async () => {
    await using database = await createOutdated(fill);
    await database.sql.unsafe(things(0));
    await database.migrate();
    expect(await database.isCurrent()).toBe(true);
  });

  test('says which statement fails, and keeps the portions before', async () => {
    await using database = await createOutdated(fill.replace('t.id * 2', '2 / (t.id - 3000)'));
    await database.sql.unsafe(things(4000));
    await expect(database.migrate()).rejects.toThrow(/step 2 of 4 failed: division by zero.*update things/);
    const [row] = await database.sql<{ filled: number }[]>`select count(weight)::int as filled from things`;
    expect(row?.filled).toBeGreaterThan(0);
    const [step] =
      await database.sql`select filled, rows_done::int from drizzle.migration_steps where step = 2`;
    expect(step).toEqual({ filled: 'things', rows_done: row?.filled });
  });
});
