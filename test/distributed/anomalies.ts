import type { Heard } from './under-load.ts';

/** What clients of no organization may meet, whatever happens to servers. */
const zeros = [
  'lost',
  'repeated',
  'reordered',
  'leaked',
  'silent',
  'writesLost',
  'writesRepeated',
  'reRegistered',
  'scheduledLost',
  'scheduledRepeated',
  'scheduledUnended',
  'scheduledReordered',
] as const;

/** Returns what clients of an organization met and should not have, in words. */
export function anomaliesOf(heard: Heard): string[] {
  const { name } = heard.organization;
  const lines = zeros.filter((what) => heard[what] > 0).map((what) => `${name}: ${what} ${heard[what]}`);
  const unacknowledged = heard.sends.filter(({ messageId }) => messageId === null).length;
  if (unacknowledged > 0) lines.push(`${name}: unacknowledged ${unacknowledged}`);
  const tries = heard.sends.flatMap(({ failedTries }) => failedTries).filter(({ status }) => status === 500);
  const failed = [...tries.map(() => 'POST /messages'), ...heard.failed];
  for (const what of new Set(failed)) {
    const times = failed.filter((each) => each === what).length;
    lines.push(`${name}: ${what} was answered with 500, ${times} times`);
  }
  if (heard.heard === 0) lines.push(`${name}: nothing was heard`);
  return lines;
}
