import { type Conclusion } from '@parley/infra';

import { type Proof, commandOf } from './proofs.ts';
import { type Outcome, runProof } from './run-proof.ts';

interface NightOptions extends Pick<Parameters<typeof runProof>[1], 'argvOf' | 'say'> {
  proofs: readonly Proof[];
  /** Whether a command that cannot run here makes the night red. */
  isStrict: boolean;
}

interface Night {
  outcomes: Outcome[];
  conclusion: Conclusion;
}

/** Runs proofs one after the other, so that none is measured beside another, and concludes from all of them. */
export async function runNight({ proofs, isStrict, argvOf, say }: NightOptions): Promise<Night> {
  const outcomes: Outcome[] = [];
  for (const [index, proof] of proofs.entries()) {
    say(
      `\n${index + 1} of ${proofs.length}  ${proof.name}: ${commandOf(proof)} (${proof.minutesMax} min at most)`,
    );
    const outcome = await runProof(proof, { argvOf, say });
    say(`${proof.name}: ${outcome.verdict}, ${time(outcome.seconds)}. ${outcome.line}`);
    outcomes.push(outcome);
  }
  return { outcomes, conclusion: conclusionOf(outcomes, isStrict) };
}

function conclusionOf(outcomes: readonly Outcome[], isStrict: boolean): Conclusion {
  const namesOf = (...verdicts: Outcome['verdict'][]) =>
    outcomes.filter(({ verdict }) => verdicts.includes(verdict)).map(({ proof }) => proof.name);
  const [red, notRun] = [namesOf('broken', 'timed out'), namesOf('not run')];
  const parts = [
    `${namesOf('holds').length} of ${outcomes.length} claims hold`,
    ...(red.length > 0 ? [`RED: ${red.join(', ')}`] : []),
    ...(notRun.length > 0 ? [`not tried here: ${notRun.join(', ')}`] : []),
  ];
  return {
    holds: red.length === 0 && (!isStrict || notRun.length === 0),
    result: `${parts.join('; ')}.`,
    report: {
      proofs: outcomes.map(({ proof, ...found }) => ({
        name: proof.name,
        claim: proof.claim,
        command: commandOf(proof),
        ...found,
      })),
    },
    text: describe(outcomes),
  };
}

const headings = ['', 'time', 'claim', 'command', 'last line'];
const marks: Record<Outcome['verdict'], string> = {
  holds: 'holds',
  broken: 'RED',
  'timed out': 'RED',
  'not run': 'not tried',
};

/** One row for each proof. The last column is as long as it is. */
function describe(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ proof, verdict, seconds, line }) => [
    marks[verdict],
    time(seconds),
    proof.claim,
    commandOf(proof),
    line,
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...rows]
    .map((row) =>
      row.map((cell, column) => (column < 4 ? cell.padEnd(widths[column] ?? 0) : cell)).join('  '),
    )
    .join('\n');
}

function time(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
