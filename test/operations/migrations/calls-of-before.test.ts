import { type Sql, connectSql, isDatabaseUnavailable } from '@parley/db';
import { beforeAll, describe, expect, test } from 'vitest';

import { git, listVersions, whyUnavailable } from '../../versions/history.ts';
import { createOld } from './old-database.ts';
import { pendingMessage, rows } from './old-rows.ts';

/** The migration that gives the wide columns their names. */
const exchange = 50;
/** The versions whose nodes may run while ids become wide. */
const versions = ['0.7.0', '0.8.0'];

interface Call {
  name: string;
  call: (sql: Sql) => PromiseLike<readonly { outcome: string }[]>;
}

/** A plain message, and one to a conversation that it may open: both to the first realm. */
const appendMessages: Call = {
  name: 'append_messages',
  call: (sql) => sql`
    select outcome from append_messages(
      1, '{9}', '{1}', '{1}', '{1}', '{1}', '{x}', '{x}', '{1}', '{test}', '{f}', '{f}', '{f}', '{f}', array['{1}'],
      '{null}', '{null}', array['{"members":['], '{"type":"message","message":{"sender_id":1'
    )`,
};
const calls: readonly Call[] = [
  appendMessages,
  {
    name: 'append_to_log',
    call: (sql) => sql`
      select outcome from append_to_log(
        1, ${pendingMessage(1, {}, { opening: { event: { type: 'stream' } } })}::text::jsonb, '[]', true
      )`,
  },
];

const functionsOf = new Map<string, string>();

beforeAll(async () => {
  const listed = (await listVersions()).filter(({ name }) => versions.includes(name));
  if ((await whyUnavailable(listed.map(({ commit }) => commit))) !== null) return;
  for (const { name, commit } of listed) {
    const files = await git('ls-tree', '-r', '--name-only', commit, 'shared/db/functions');
    const texts = await Promise.all(files.split('\n').map((file) => git('show', `${commit}:${file}`)));
    functionsOf.set(name, texts.join(';\n'));
  }
});

/**
 * A deployment whose nodes append by the functions of a version, right before its ids become wide. Nodes of tests are
 * patient, unless they are told how long they wait for a lock.
 */
async function createDeployment(version: string, { lockMsMax }: { lockMsMax?: number } = {}) {
  const old = await createOld(exchange - 1);
  await old.sql.unsafe(functionsOf.get(version) ?? '');
  await old.sql.unsafe(rows);
  const nodeUrl = new URL(old.url);
  if (lockMsMax !== undefined) nodeUrl.searchParams.set('lock_timeout', String(lockMsMax));
  const node = connectSql({ url: nodeUrl.href, name: 'api', max: 1 });
  // It is none of the nodes, whose transactions are waited for.
  const holder = connectSql({ url: old.url, name: 'migrate-holder', max: 2 });
  const waits = async (application: string, what: string) => {
    await expect
      .poll(
        () => old.sql`
          select from pg_stat_activity
          where datname = current_database() and application_name = ${`parley-${application}`} and query ~ ${what}
            and wait_event_type in ('Lock', 'Timeout')`,
        { timeout: 20_000, interval: 20 },
      )
      .toHaveLength(1);
  };
  return {
    ...old,
    node,
    /** Locks rows or tables until the function that it resolves with is called. */
    async hold(statement: string) {
      const held = await holder.reserve();
      await held.unsafe(`set idle_in_transaction_session_timeout = 0; begin; ${statement}`);
      return async () => {
        await held.unsafe('rollback');
        held.release();
      };
    },
    waits,
    async [Symbol.asyncDispose]() {
      await Promise.all([node.end({ timeout: 1 }), holder.end({ timeout: 1 })]);
      await old[Symbol.asyncDispose]();
    },
  };
}

const head = 'select from realm_heads where realm_id = 1 for update';
const settle = (call: ReturnType<Call['call']>) =>
  Promise.resolve(call).then(
    ([row]) => row?.outcome,
    (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : String(error)),
  );

describe.each(versions)('a call of a node of %s, while ids become wide,', (version) => {
  test.for(calls)(
    'ends as it began where $name waits for the head of the log',
    async ({ call }, { skip }) => {
      if (!functionsOf.has(version)) skip('This clone lacks the version.');
      await using deployment = await createDeployment(version);
      expect(await settle(call(deployment.node))).toBe('written');
      const release = await deployment.hold(head);
      const calling = settle(call(deployment.node));
      await deployment.waits('api', 'append_');
      const migrated = deployment.migrateTo(exchange);
      await Promise.race([migrated, deployment.waits('migrate', 'await_transactions')]);
      await release();
      await migrated;
      expect(await calling).toBe('written');
    },
  );

  test.for(calls)('is written after them where $name has begun right before', async ({ call }, { skip }) => {
    if (!functionsOf.has(version)) skip('This clone lacks the version.');
    await using deployment = await createDeployment(version);
    const releaseMessages = await deployment.hold('lock table messages in row exclusive mode');
    const migrated = deployment.migrateTo(exchange);
    await deployment.waits('migrate', '^[^;]*;[^;]*; lock table');
    expect(await settle(call(deployment.node))).toBe('written');
    const releaseHead = await deployment.hold(head);
    const calling = settle(call(deployment.node));
    await deployment.waits('api', 'append_');
    await releaseMessages();
    await migrated;
    await releaseHead();
    expect(await calling).toBe('written');
  });
});

test('a migration waits for a call that began before ids become wide until its node gives it up', async ({
  skip,
}) => {
  const [version = ''] = versions;
  if (!functionsOf.has(version)) skip('This clone lacks the version.');
  await using deployment = await createDeployment(version, { lockMsMax: 5000 });
  const release = await deployment.hold(head);
  const calling = settle(appendMessages.call(deployment.node));
  await deployment.waits('api', 'append_');
  const migrated = deployment.migrateTo(exchange);
  const first = await Promise.race([migrated.then(() => 'the migration'), calling.then(() => 'the call')]);
  expect([first, await calling]).toEqual(['the call', 'unavailable']);
  await release();
  await migrated;
});
