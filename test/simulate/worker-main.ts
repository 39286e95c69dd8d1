import { type Answer, type Order, emptyTotals } from './orders.ts';
import { beginSimulating, createSchedule, runSchedule } from './schedule.ts';
import { shrink } from './shrink.ts';
import { systemTimers } from './timers.ts';

const turn = () => new Promise<void>((resolve) => systemTimers.setImmediate(resolve));

/** Runs schedules one after the other, up to the first that fails. */
async function runMany({ seeds }: Extract<Order, { kind: 'run' }>): Promise<Answer> {
  const totals = emptyTotals();
  for (const seed of seeds) {
    const { violations, faults, steps, digest, sent, heard, told } = await runSchedule(createSchedule(seed));
    // What nobody handled is reported between two schedules.
    await turn();
    totals.schedules += 1;
    totals.steps += steps;
    totals.sent += sent;
    totals.heard += heard;
    totals.told += told;
    totals.digest = (Math.imul(totals.digest, 31) + digest) | 0;
    for (const [kind, count] of Object.entries(faults))
      totals.faults[kind] = (totals.faults[kind] ?? 0) + count;
    if (violations.length > 0) return { kind: 'ran', totals, failure: { seed, violations } };
  }
  return { kind: 'ran', totals, failure: null };
}

async function replay({ seed, kept }: Extract<Order, { kind: 'replay' }>): Promise<Answer> {
  const steps: string[] = [];
  const outcome = await runSchedule(createSchedule(seed, kept), (nowMs, what) =>
    steps.push(`${nowMs.toFixed(1).padStart(9)} ms  ${what}`),
  );
  return { kind: 'replayed', steps, violations: outcome.violations, digest: outcome.digest };
}

beginSimulating();
process.on('message', (order: Order) => {
  // Of the many errors that faults lead to, nobody reads the stacks until somebody replays a schedule.
  Error.stackTraceLimit = order.kind === 'replay' ? 10 : 0;
  const answering =
    order.kind === 'run' ? runMany(order) : order.kind === 'shrink' ? shrink(order.seed) : replay(order);
  void answering.then((answer) => process.send?.(answer));
});
process.send?.({ kind: 'ready' } satisfies Answer);
