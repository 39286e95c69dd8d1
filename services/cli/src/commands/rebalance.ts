import { planRebalance, rebalance } from '@parley/db';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';
import { Refusal } from '../refusal.ts';
import { table } from '../table.ts';

interface Flags extends CommonFlags {
  dryRun: boolean;
  minutes: number;
}

async function run(this: Context, { dryRun, minutes }: Flags): Promise<void> {
  const { DATABASE_URL } = this.settings();
  if (dryRun) {
    const moves = await planRebalance(DATABASE_URL);
    const rows = moves.map(({ organizations, bytes, from, to }) => [
      from,
      to,
      organizations,
      `${Math.ceil(bytes / 2 ** 20)} MiB`,
    ]);
    this.show(
      { moves },
      moves.length === 0
        ? 'The servers hold about as much: nothing would be moved.'
        : table(['server', 'moves to', 'organizations', 'size'], rows),
    );
    return;
  }
  const say = (line: string) => void this.process.stderr.write(`${line}\n`);
  const { moved, left } = await rebalance(DATABASE_URL, { say, limitMs: minutes * 60_000 });
  if (left > 0) {
    throw new Refusal(
      `The time is over. Moves done: ${moved}, left: ${left}. Run \`parley rebalance\` again: it goes on.`,
    );
  }
  this.show({ moved, left }, `The servers hold about as much. Moves done: ${moved}.`);
}

/** Reads a number of minutes. */
function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= minutesMax))
    throw new Error(`Enter a number of minutes up to ${minutesMax}.`);
  return minutes;
}

const minutesMax = 10_080;

export const rebalanceCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      dryRun: {
        kind: 'boolean',
        brief: 'List what would be moved, and move nothing',
        default: false,
        withNegated: false,
      },
      minutes: {
        kind: 'parsed',
        parse: parseMinutes,
        default: '1440',
        placeholder: 'minutes',
        brief: 'No move begins after so many minutes',
      },
    },
  },
  docs: {
    brief:
      'Move organizations until the servers of a divided database hold about as much, while people use them',
    customUsage: ['', '--dry-run', '--minutes 60'],
  },
});
