import { availableParallelism } from 'node:os';

import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { guards } from './guards.ts';
import { describeFailure, describeGuards, describeTotals, replayOf } from './report.ts';
import { type Simulated, holdsIn, perHour, simulate } from './run-simulation.ts';
import { Worker } from './workers.ts';

const usage = `npm run simulate -- [--schedules 10000] [--seed N] [--workers N] [--break GUARD] [--json]
npm run simulate -- --guards [--schedules 60000] [--seed N] [--workers N] [--json]
npm run simulate -- --replay SEED[:PLACE,…] [--break GUARD] [--trace] [--json]

Runs the real code of the delivery path (append, publish, follow, ring, poll, cursor, the loop of the client) in one
process, with a simulated network, clock, Postgres and Redis, which crash, hang, fail over to a state behind, repeat,
delay and cut. Everything follows from the seed, by default that of the day. At each step, what clients heard is
compared with the histories of the log. Exits with 1 if anything was lost, repeated, reordered, leaked or kept secret;
then it prints what is left of the schedule without what does not matter, and the command that replays it.

  --workers  the processes that simulate; by default, as many as there are cores
  --break    takes a guard out, to see the race that it is for found again
  --guards   takes out each guard in turn, but those that another covers; exits with 1 if one is not missed
  --replay   runs one schedule, of its operations those at these places; --trace prints them, with their times

Guards:
${Object.entries(guards)
  .map(([name, { without }]) => `  ${name.padEnd(26)} ${without}`)
  .join('\n')}`;

const { values } = readArguments(usage, {
  schedules: { type: 'string' },
  seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
  workers: { type: 'string', default: String(availableParallelism()) },
  break: { type: 'string' },
  guards: { type: 'boolean', default: false },
  replay: { type: 'string' },
  trace: { type: 'boolean', default: false },
});

const countOf = (text: string, name: string) =>
  /^\d{1,10}$/.test(text) ? Number(text) : refuseArguments(usage, `--${name} takes a number, not ${text}.`);
if (values.break !== undefined && !(values.break in guards))
  refuseArguments(usage, 'There is no such guard.');
const extent = {
  schedules: countOf(values.schedules ?? (values.guards ? '60000' : '10000'), 'schedules'),
  seed: countOf(values.seed, 'seed'),
  workers: Math.max(1, countOf(values.workers, 'workers')),
  isShrunk: !values.guards,
  say,
};

async function replay(text: string): Promise<void> {
  const [, seed = '', kept] = /^(\d{1,10})(?::([\d,]*))?$/.exec(text) ?? [];
  if (seed === '') refuseArguments(usage, '--replay takes the number of a schedule.');
  using worker = new Worker(values.break);
  const order = { kind: 'replay', seed: Number(seed), kept: kept?.split(',').map(Number) ?? null } as const;
  const { steps, violations, digest } = await worker.obey(order, 'replayed');
  conclude(values.json, {
    holds: violations.length === 0,
    result: violations[0] ?? 'All of it holds.',
    report: { steps, violations, digest },
    text: values.trace ? [...steps, ...violations].join('\n') : undefined,
  });
}

async function takeOutGuards(): Promise<void> {
  const found: Record<string, Simulated> = {};
  using guarded = new Worker(undefined);
  for (const [guard, { covered }] of Object.entries(guards)) {
    if (covered !== undefined) {
      say(`  ${guard.padEnd(26)} is not taken out: ${covered}`);
      continue;
    }
    const simulated = await simulate({ ...extent, guard });
    // What fails with the guard as well says nothing of it.
    if (simulated.failure && !(await holdsIn(guarded, simulated.failure.seed))) {
      conclude(values.json, {
        holds: false,
        result: `The schedule ${simulated.failure.seed} fails with all guards in place: ${simulated.failure.violations[0]}`,
      });
      return;
    }
    found[guard] = simulated;
    say(describeGuards({ [guard]: found[guard] }));
  }
  const missed = Object.keys(found).filter((guard) => !found[guard]?.failure);
  const count = Object.keys(found).length;
  conclude(values.json, {
    holds: missed.length === 0,
    result:
      missed.length === 0
        ? `${count} guards were taken out, and each race was found again.`
        : `${count} guards were taken out, and ${missed.length} not missed: ${missed.join(', ')}.`,
    report: { guards: found },
    text: describeGuards(found),
  });
}

async function run(): Promise<void> {
  const simulated = await simulate({ ...extent, guard: values.break });
  const { totals, failure } = simulated;
  conclude(values.json, {
    holds: failure === null,
    result: failure
      ? `The schedule ${failure.seed} fails: ${failure.violations[0]}. npm run simulate -- --replay ${replayOf(failure)}${values.break === undefined ? '' : ` --break ${values.break}`} --trace`
      : `${totals.schedules} schedules, ${perHour(simulated)} an hour: ${totals.heard} events heard, nothing lost, repeated, reordered, leaked or kept secret.`,
    report: { ...simulated, perHour: perHour(simulated) },
    text: [describeTotals(simulated), ...(failure ? [describeFailure(failure)] : [])].join('\n\n'),
  });
}

if (values.replay !== undefined) await replay(values.replay);
else if (values.guards) await takeOutGuards();
else await run();
process.exit();
