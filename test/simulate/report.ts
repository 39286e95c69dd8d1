import type { Simulated } from './run-simulation.ts';
import { perHour } from './run-simulation.ts';
import { createSchedule, describe } from './schedule.ts';

type Failure = NonNullable<Simulated['failure']>;

const row = (name: string, value: number) => `  ${name.padEnd(46)} ${String(value).padStart(12)}`;

/** Returns a table of what schedules came to. */
export function describeTotals(simulated: Simulated): string {
  const { totals, failure } = simulated;
  const faults = Object.entries(totals.faults).sort(([, one], [, other]) => other - one);
  return [
    row('schedules', totals.schedules),
    row('schedules an hour', perHour(simulated)),
    row('steps', totals.steps),
    row('sends acknowledged', totals.sent),
    row('events heard', totals.heard),
    row('clients told to register anew', totals.told),
    row('neither heard nor told, or anything else', failure ? 1 : 0),
    'faults',
    ...faults.map(([kind, count]) => row(kind, count)),
  ].join('\n');
}

/** Returns the number of a schedule with the places of the operations that are left. */
export const replayOf = ({ seed, kept }: Failure): string => (kept ? `${seed}:${kept.join(',')}` : `${seed}`);

/** Returns what is left of a schedule that fails. */
export function describeFailure({ seed, kept, violations }: Failure): string {
  const { shape, operations } = createSchedule(seed, kept);
  return [
    `${shape.apiNodes} api, ${shape.queueNodes} queue, ${shape.clients} clients, ${shape.realms} organizations`,
    ...operations.map(
      (operation) => `  after ${String(operation.afterMs).padStart(4)} ms  ${describe(operation)}`,
    ),
    ...violations,
  ].join('\n');
}

/** Returns a table of the guards that were taken out, and when each was missed. */
export const describeGuards = (found: Readonly<Record<string, Simulated>>): string =>
  Object.entries(found)
    .map(([guard, { totals, failure }]) => {
      const missed = failure
        ? `found after ${String(totals.schedules).padStart(6)} schedules: ${failure.violations[0]}`
        : `not found in ${totals.schedules} schedules`;
      return `  ${guard.padEnd(26)} ${missed}`;
    })
    .join('\n');
