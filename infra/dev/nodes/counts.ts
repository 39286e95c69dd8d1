import { type NodeCounts, type Role, roles } from './cluster-node.ts';

const least: NodeCounts & { replicas: number } = { api: 1, queue: 1, worker: 0, replicas: 0 };
const most = 64;

/** Reads how many nodes of a role, or replicas, there shall be. Throws an error that says what is wrong. */
export function parseCount(name: Role | 'replicas', text: string): number {
  const count = Number(text);
  if (text === '' || !Number.isInteger(count) || count < least[name] || count > most) {
    throw new Error(`${name} ${text}: enter a number from ${least[name]} to ${most}.`);
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
          `${word}: enter a role and a number, as in queue=5. The roles are ${roles.join(', ')}.`,
        );
      return [role, parseCount(role, text)];
    }),
  );
}

const isRole = (name: string): name is Role => roles.some((role) => role === name);
