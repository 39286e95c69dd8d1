import type { AfterCommit } from '@parley/actions';
import type { Tx } from '@parley/db';
import type { ActionResult } from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { vi } from 'vitest';

import { performAdHoc } from './perform-ad-hoc.ts';
import { getWorld } from './world.ts';

type Act = (tx: Tx) => Promise<ActionResult & AfterCommit>;

/** Runs an action, and something else after its first run and before its append. Returns how often the action ran. */
export async function performWhile(
  { id }: { id: number },
  action: Act,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { engine } = await getWorld();
  let runs = 0;
  await performAdHoc(engine, id, async (tx) => {
    const result = await action(tx);
    runs += 1;
    if (runs === 1) await meanwhile();
    return result;
  });
  return runs;
}

/**
 * Runs an action, and begins a request after its first run and before its append, which comes when the request has ended
 * or waits for the action. Resolves when both are done.
 */
export async function performDuring(
  { id }: { id: number },
  action: Act,
  request: () => Promise<unknown>,
): Promise<void> {
  const world = await getWorld();
  let requested: Promise<unknown> | undefined;
  await performAdHoc(world.engine, id, async (tx) => {
    const result = await action(tx);
    if (requested) return result;
    let isOver = false;
    requested = request().finally(() => (isOver = true));
    const [{ pid } = { pid: 0 }] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const isWaiting = async () => {
      const waiting = await world.sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
      return waiting.length > 0;
    };
    await vi.waitUntil(async () => isOver || (await isWaiting()), { timeout: 60_000 });
    return result;
  });
  await requested;
}
