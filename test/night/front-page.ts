import { cellsIn, replaceTable } from '../docs/pages.ts';
import { commandOf } from './proofs.ts';
import type { Outcome } from './run-proof.ts';

export const tableName = 'night';
const head = ['claim', 'command', 'last figure'];

/**
 * The front page with the figures of these runs in its table. It decides which claims it shows; those that did not run, or
 * do not hold, keep the figure that they have.
 */
export function withFigures(page: string, outcomes: readonly Outcome[]): string {
  const rows = cellsIn(page, tableName).map((row) => {
    const outcome = outcomes.find(({ proof, verdict }) => proof.claim === row[0] && verdict === 'holds');
    return outcome
      ? [outcome.proof.claim, `\`${commandOf(outcome.proof)}\``, outcome.line.replace(/\.$/, '')]
      : row;
  });
  return replaceTable(page, tableName, head, rows);
}
