import {
  type MemoryBudgetName,
  type NodeRole,
  memoryBudgets,
  memoryReserves,
  mostMemoryMib,
} from '@parley/kit';

const roles: readonly NodeRole[] = ['api', 'queue', 'worker'];

const meanings: Record<MemoryBudgetName, string> = {
  rings: 'recent entries of organizations (`RING_TOTAL_MEGABYTES`)',
  audiences: 'who receives entries',
  unsent: 'answers that slow readers have not taken',
  oldPages: 'older entries, for clients that were away',
  longTexts: 'long events, as clients are sent them',
  early: 'entries of organizations that are being opened',
  registrations: 'what registrations of an organization have in common (`SHARED_STATE_MEGABYTES`)',
  presences: 'presence in large organizations',
  presenceTexts: 'replies with it',
  replies: 'long replies that slow readers have not taken',
  accounts: 'accounts that were authenticated in the last minute',
  plans: 'plans of sends',
  rules: 'settings, permissions and groups of organizations',
  alertWords: 'alert words',
  vocabularies: 'linkifiers and emoji, as they were read',
  linkifiers: 'linkifiers, compiled',
  rendered: 'HTML of messages that an older renderer had rendered',
};

/** What takes memory in the processes of a role, in MiB. */
const cells = (mib: (role: NodeRole) => number | undefined) => roles.map((role) => `${mib(role) ?? ''}`);

/** The rows of the table in docs/operating.md. */
export function memoryRows(): string[][] {
  const reserves = [...new Set(roles.flatMap((role) => Object.keys(memoryReserves[role])))];
  // Safe: the names come from the object.
  const names = Object.keys(memoryBudgets) as MemoryBudgetName[];
  const takes = (name: MemoryBudgetName, role: NodeRole) =>
    (memoryBudgets[name].roles as readonly NodeRole[]).includes(role) ? memoryBudgets[name].mib : undefined;
  return [
    ...reserves.map((name) => ['', name, ...cells((role) => memoryReserves[role][name])]),
    ...names.map((name) => [`\`${name}\``, meanings[name], ...cells((role) => takes(name, role))]),
    ['', 'all together', ...cells((role) => mostMemoryMib(role))],
  ];
}
