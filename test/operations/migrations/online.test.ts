import { readMigrationState } from '@parley/db';
import { describe, expect, test } from 'vitest';

import { createOutdated, things } from './outdated.ts';

const soon = { lockMs: 50, triesMax: 3, firstPauseMs: 1, maxPauseMs: 1 };

/** A connection that was killed is told so, or finds itself closed, or is another one without the lock. */
const gone = /terminating connection|CONNECTION|ECONNRESET|EPIPE|was lost/;

const online = `-- online
create index concurrently things_name on things (name);
alter table things add column weight int;
alter table things add constraint things_have_names check (name <> '') not valid;
alter table things validate constraint things_have_names;
begin;
alter table things rename column size to width;
alter table things rename column weight to size;
commit;
create unique index concurrently things_alone on things (name, id);
drop index concurrently things_name;
alter table things add constraint things_once unique using index things_alone;
`;

const shapeOf = `
  select array(
    select indexrelid::regclass || ' ' || indisvalid from pg_index
    where indrelid = 'things'::regclass order by 1
  ) as indexes, array(
    select conname || ' ' || convalidated from pg_constraint
    where conrelid = 'things'::regclass and contype <> 'n' order by 1
  ) as constraints, array(
    select attname::text from pg_attribute
    where attrelid = 'things'::regclass and attnum > 0 and not attisdropped order by 1
  ) as columns`;

const shape = {
  indexes: ['things_once true', 'things_pkey true'],
  constraints: ['things_have_names true', 'things_once true', 'things_pkey true'],
  columns: ['id', 'name', 'size', 'width'],
};

describe('an online migration', () => {
  test('runs step by step, and is in the journal once all of it has ended', async () => {
    await using database = await createOutdated(online);
    await database.sql.unsafe(things(10));
    await database.migrate();
    expect(await database.sql.unsafe(shapeOf)).toEqual([shape]);
    expect(await database.isCurrent()).toBe(true);
    expect(await database.sql`select from drizzle.migration_steps`).toHaveLength(0);
    expect(database.lines).toHaveLength(8);
    await database.migrate();
    expect(database.lines).toHaveLength(8);
  });

  test('goes on where it was, wherever its connection was killed', async () => {
    for (let killed = 1; killed <= 8; killed += 1) {
      let isInTime = false;
      // On a busy machine, the steps that are left may have ended before the connection did.
      while (!isInTime) {
        await using database = await createOutdated(online);
        await database.sql.unsafe(things(10));
        let said = 0;
        let killing: Promise<void> | undefined;
        const say = () => {
          said += 1;
          if (said === killed) killing = database.killMigration();
        };
        const migrating = database.migrate({ say }).then(() => 'ended', String);
        expect(await migrating, `killed at step ${killed}`).toMatch(new RegExp(`${gone.source}|^ended$`));
        await killing;
        isInTime = !(await database.isCurrent());
        await database.migrate();
        expect(await database.sql.unsafe(shapeOf), `killed at step ${killed}`).toEqual([shape]);
        expect(await database.isCurrent()).toBe(true);
      }
    }
  });

  test('is pending for the nodes until all of it has ended', async () => {
    await using database = await createOutdated(
      '-- online\nalter table things add column weight int;\nselect 1 / 0;',
    );
    await database.sql.unsafe(things(1));
    await expect(database.migrate()).rejects.toThrow(
      /step 2 of 2 failed: division by zero.*select 1 \/ 0.*parley migrate/,
    );
    const { pending, unknown } = await readMigrationState(database.sql, database.folder);
    expect({ pending: pending.length, unknown }).toEqual({ pending: 1, unknown: 0 });
    // A version that does not have it sees that a newer one has begun.
    expect(await readMigrationState(database.sql)).toMatchObject({ pending: [], unknown: 1 });
  });

  test('builds an index anew that was left invalid', async () => {
    await using database = await createOutdated(
      '-- online\ncreate unique index concurrently things_name on things (name);',
    );
    await database.sql.unsafe(`${things(2)} update things set name = 'same'`);
    await expect(
      database.sql.unsafe('create unique index concurrently things_name on things (name)'),
    ).rejects.toThrow('could not create unique index');
    const state = `select indisvalid from pg_index where indexrelid = to_regclass('things_name')`;
    expect(await database.sql.unsafe(state)).toEqual([{ indisvalid: false }]);
    await expect(database.migrate()).rejects.toThrow(/could not create unique index/);
    // What it left itself is gone as well: writes would keep it up to date for nothing.
    expect(await database.sql.unsafe(state)).toEqual([]);
    await database.sql`update things set name = id::text`;
    await database.migrate();
    expect(await database.sql.unsafe(state)).toEqual([{ indisvalid: true }]);
  });

  test('keeps an index that was finished just before its connection was killed', async () => {
    await using database = await createOutdated(
      '-- online\ncreate index concurrently things_name on things (name);',
    );
    await database.sql.unsafe(things(2));
    const holder = await database.hold(`insert into things (name) values ('late')`);
    const migrating = database.migrate().catch(() => undefined);
    await database.waits();
    // The index is built now, but its end cannot be written down.
    const journal = await database.hold('lock table drizzle.migration_steps in exclusive mode');
    await holder[Symbol.asyncDispose]();
    const oid = `select indexrelid::int as oid from pg_index where indexrelid = to_regclass('things_name') and indisvalid`;
    await expect.poll(() => database.sql.unsafe(oid), { timeout: 60_000 }).toHaveLength(1);
    await database.waits();
    await database.killMigration();
    await journal[Symbol.asyncDispose]();
    await migrating;
    const before = await database.sql.unsafe(oid);
    await database.migrate();
    expect(await database.sql.unsafe(oid)).toEqual(before);
    expect(await database.isCurrent()).toBe(true);
  });

  test('does not take the index of somebody else for its own', async () => {
    await using database = await createOutdated(
      '-- online\ncreate index concurrently things_name on things (name);',
    );
    await database.sql.unsafe(`${things(2)} create index things_name on things (size)`);
    await expect(database.migrate()).rejects.toThrow(/already exists/);
  });

  test('is refused if a step that has ended was changed', async () => {
    await using first = await createOutdated(
      '-- online\nalter table things add column weight int;\nselect 1 / 0;',
    );
    await first.sql.unsafe(things(1));
    await first.migrate().catch(() => undefined);
    await using second = await createOutdated(
      '-- online\nalter table things add column height int;\nselect 1;',
    );
    await expect(first.migrate({ folder: second.folder })).rejects.toThrow(/has another step 1/);
  });
});

describe('a lock that somebody holds', () => {
  const files = {
    'an online migration': '-- online\nalter table things add column weight int;',
    'any other migration': 'alter table things add column weight int;',
  };

  test.each(Object.entries(files))('makes %s fail, and it says who holds it', async (_name, file) => {
    await using database = await createOutdated(file);
    await database.sql.unsafe(things(1));
    await using holder = await database.hold('select from things');
    const patience = { ...soon, lockMs: 1000 };
    await expect(database.migrate({ patience })).rejects.toThrow(
      new RegExp(
        `3 tries.*pid ${holder.pid} \\(parley-holder, idle in transaction, its transaction is .* s old\\).*` +
          `pg_terminate_backend\\(${holder.pid}\\).*parley migrate`,
      ),
    );
    expect(await database.isCurrent()).toBe(false);
  });

  test.each(Object.entries(files))('is waited for by %s', async (_name, file) => {
    await using database = await createOutdated(file);
    await database.sql.unsafe(things(1));
    const holder = await database.hold('select from things');
    let freed: Promise<void> | undefined;
    const say = (line: string) => {
      if (line.includes('found its locks taken')) freed ??= Promise.resolve(holder[Symbol.asyncDispose]());
    };
    await database.migrate({ say, patience: { ...soon, triesMax: 10_000 } });
    await freed;
    expect(freed).toBeDefined();
    expect(await database.isCurrent()).toBe(true);
  });

  test('does not end the build of an index, which keeps nobody out', async () => {
    await using database = await createOutdated(
      '-- online\ncreate index concurrently things_name on things (name);',
    );
    await database.sql.unsafe(things(1));
    const holder = await database.hold(`insert into things (name) values ('late')`);
    const migrating = database.migrate({ patience: soon });
    await database.waits();
    await database.sql`insert into things (name) values ('meanwhile')`;
    await holder[Symbol.asyncDispose]();
    await migrating;
    expect(await database.isCurrent()).toBe(true);
  });

  test('is waited for without keeping anybody out while the table is vacuumed', async () => {
    await using database = await createOutdated('-- online\nalter table things add column weight int;');
    await database.sql.unsafe(things(1));
    const vacuum = await database.hold('lock table things in share update exclusive mode');
    const migrating = database.migrate({ patience: { ...soon, triesMax: 10_000 } });
    const waiting = () => database.sql`
      select from pg_locks l join pg_stat_activity a using (pid)
      where a.application_name = 'parley-migrate' and a.datname = current_database()
        and not l.granted and l.mode = 'ShareUpdateExclusiveLock'`;
    await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1);
    await database.sql`insert into things (name) values ('meanwhile')`;
    await vacuum[Symbol.asyncDispose]();
    await migrating;
    expect(await database.isCurrent()).toBe(true);
  });

  test.each([
    'alter table things add column weight int;\nalter table others add column weight int;',
    'lock table things, others in access exclusive mode;',
  ])('is given back between two tries, so that others get through: %s', async (statements) => {
    await using database = await createOutdated(`-- online\nbegin;\n${statements}\ncommit;`);
    await database.sql.unsafe(`${things(1)} create table others (id int)`);
    await using holder = await database.hold('select from others');
    await expect(database.migrate({ patience: soon })).rejects.toThrow('3 tries');
    expect(holder.pid).toBeGreaterThan(0);
    await database.sql`insert into things (name) values ('after')`;
    expect(await database.sql`select from things`).toHaveLength(2);
  });
});

test('two processes that migrate at once take turns, while an index is built', async () => {
  await using database = await createOutdated(online);
  await database.sql.unsafe(things(10));
  await Promise.all([1, 2, 3].map(() => database.migrate()));
  expect(await database.sql.unsafe(shapeOf)).toEqual([shape]);
  expect(database.lines.filter((line) => line.includes('step 1 of 8'))).toHaveLength(1);
  expect(database.lines.some((line) => /Another process migrates .*parley-migrate/.test(line))).toBe(true);
});

test('a connection without the lock of migrations changes nothing', async () => {
  // As if it were another one: after a failure, or behind a pooler.
  await using database = await createOutdated(
    '-- online\nselect pg_advisory_unlock_all();\nalter table things add column weight int;',
  );
  await database.sql.unsafe(things(1));
  await expect(database.migrate()).rejects.toThrow(/was lost.*behind a pooler/);
  const columns = await database.sql`
    select from pg_attribute where attrelid = 'things'::regclass and attname = 'weight'`;
  expect(columns).toEqual([]);
});
