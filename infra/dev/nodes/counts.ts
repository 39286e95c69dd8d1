import type { NodeCounts, Role } from './cluster-node.ts';

const least: NodeCounts = { api: 1, queue: 1, worker: 0 };
const most = 64;

/** Reads how many nodes of a role there shall be. Throws an error that says what is wrong. */
export function parseCount(role: Role, text: string): number {
  const count = Number(text);
  if (text === '' || !Number.isInteger(count) || count < least[role] || count > most) {
    throw new Error(`${role} ${text}: a number from ${least[role]} to ${most} is wanted.`);
  }
  return count;
}

/** Reads words like `queue=5`. Throws an error that says what is wrong. */
export function parseCounts(words: readonly string[]): Partial<NodeCounts> {
  if (words.length === 0) throw new Error('How many of which? As in: scale queue=5');
  return Object.fromEntries(
    words.map((word) => {
      const [role = '', text = ''] = word.split('=');
      if (!isRole(role)) throw new Error(`${word}: there are ${Object.keys(least).join(', ')}.`);
      return [role, parseCount(role, text)];
    }),
  );
}

const isRole = (name: string): name is Role => Object.hasOwn(least, name);
