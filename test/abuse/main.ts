import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { bars } from '../support/picture.ts';
import { attacks } from './attacks.ts';
import { type Phase, runAbuse } from './run.ts';

const usage = `npm run abuse -- [--attack NAME …] [--seconds 20] [--rounds 1] [--json]

Runs a cluster of real processes on which ordinary users chat, in calm and under each attack of a guest or of
somebody without an account, and prints what the others met with and how much memory the nodes took.
Exits with 1 if an ordinary request failed, a node (with the processes it has started) took more than 300 MiB, or the
99th percentile of the others' sends, reads or deliveries was more than twice that of calm (and more than 50 ms above it).
In 20 s that is the second longest of 200: with --rounds 3, all attacks come three times, and count together.

Attacks:
${attacks.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}`;

const { values } = parseArgs({
  options: {
    attack: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const chosen = values.attack.flatMap((name) => attacks.find((attack) => attack.name === name) ?? []);
if (values.help || chosen.length < values.attack.length) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

const memoryMax = 300;
/** A percentile of a few milliseconds is noise. */
const noiseMs = 50;

const say = (line: string) => void process.stderr.write(`${line}\n`);

// Where the kernel gives every session of processes the same share, as on a desktop, priorities count only within each.
const grouping = await readFile('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').catch(() => '');
if (grouping.trim() === '1')
  say(
    'For figures as in containers, let no session have a share of its own:\n  sysctl kernel.sched_autogroup_enabled=0\n',
  );

const phases = await runAbuse({
  attacks: chosen.length > 0 ? chosen : attacks,
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  say,
});
const [calm] = phases;
const misses = phases.flatMap((phase) => missesOf(phase, calm));
process.stdout.write(values.json ? `${JSON.stringify({ phases, misses })}\n` : describe());
process.exit(misses.length === 0 ? 0 : 1);

function missesOf(phase: Phase, calmPhase: Phase | undefined): string[] {
  const name = phase.attack ?? 'calm';
  const failed = Object.entries(phase.failures).map(([status, count]) => `${name}: ${count} × ${status}`);
  const large = Object.entries(phase.memory).flatMap(([node, mib]) =>
    mib > memoryMax ? `${name}: ${node} took ${mib} MiB` : [],
  );
  const slow = (['sends', 'reads', 'deliveries'] as const).flatMap((kind) => {
    const [p99, calmP99] = [phase[kind].p99, calmPhase?.[kind].p99 ?? 0];
    return p99 > 2 * calmP99 && p99 > calmP99 + noiseMs
      ? `${name}: p99 of ${kind} ${p99} ms, ${calmP99} ms in calm`
      : [];
  });
  return [...failed, ...large, ...slow];
}

function describe(): string {
  const rows = phases.map(({ attack, answered, sends, reads, deliveries, failures, memory }) =>
    [
      (attack ?? 'calm').padEnd(10),
      ...[sends, reads, deliveries].map(({ p50, p99, max }) => `${p50}/${p99}/${max}`.padStart(14)),
      String(Object.values(failures).reduce((sum, count) => sum + count, 0)).padStart(8),
      String(Math.max(...Object.values(memory))).padStart(9),
      `  ${Object.entries(answered)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}`,
    ].join(' '),
  );
  const heading = `${'attack'.padEnd(10)} ${['sends ms', 'reads ms', 'heard ms'].map((title) => title.padStart(14)).join(' ')} ${'failed'.padStart(8)} ${'peak MiB'.padStart(9)}   answers to the attacker`;
  const picture = bars(phases.map(({ attack, deliveries }) => [attack ?? 'calm', deliveries.p99]));
  const verdict =
    misses.length === 0
      ? 'Nobody but the attacker noticed.'
      : `NOT as it should be:\n  ${misses.join('\n  ')}`;
  return `\n${heading}\n${rows.join('\n')}\n\n  from a send to whoever hears it, p99 ms\n${picture}\n\n(of three figures: p50/p99/max)\n${verdict}\n`;
}
