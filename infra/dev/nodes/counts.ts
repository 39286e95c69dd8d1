import type { NodeCounts, Role } from './cluster-node.ts';

const least: NodeCounts = { api: 1, queue: 1, worker: 0 };
const most = 64;

/** Reads how many nodes of a role there shall be. Throws an error that says what is wrong. */
export function parseCount(role: Role | 'replicas', text: string): number {
  const count = Number(text);
  const min = role === 'replicas' ? 0 : least[role];
  if (text === '' || !Number.isInteger(count) || count < min || count > most) {
    throw new Error(`${role} ${text}: enter a number from ${min} to ${most}.`);
  }
  return count;
}

/** Reads words like `queue=5`. Throws an error that says what is wrong. */
export function parseCounts(words: readonly string[]): Partial<NodeCounts> {
  if (words.length === 0)
    throw new Error('Say how many nodes of which role there should be, as in: scale queue=5');
  return Object.fromEntries(
    words.map((word) => {
      const [role = '', text = ''] = word.split('=');
      if (!isRole(role))
        throw new Error(
          `${word}: enter a role and a number, as in queue=5. The roles are ${Object.keys(least).join(', ')}.`,
        );
      return [role, parseCount(role, text)];
    }),
  );
}

const isRole = (name: string): name is Role => Object.hasOwn(least, name);
