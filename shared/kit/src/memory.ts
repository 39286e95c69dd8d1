import { LRUCache } from 'lru-cache';

import type { Logger } from './logger.ts';

/** The roles of nodes. */
export type NodeRole = 'api' | 'queue' | 'worker';

interface MemoryBudget {
  mib: number;
  roles: readonly NodeRole[];
}

/** What nodes keep in memory and count, with the most of it in a process. Whatever has no place is read or made again. */
export const memoryBudgets = {
  rings: { mib: 128, roles: ['queue'] },
  audiences: { mib: 128, roles: ['queue'] },
  unsent: { mib: 64, roles: ['queue'] },
  oldPages: { mib: 32, roles: ['queue'] },
  longTexts: { mib: 16, roles: ['queue'] },
  early: { mib: 32, roles: ['queue'] },
  registrations: { mib: 160, roles: ['api'] },
  presences: { mib: 64, roles: ['api'] },
  presenceTexts: { mib: 32, roles: ['api'] },
  replies: { mib: 96, roles: ['api'] },
  accounts: { mib: 32, roles: ['api'] },
  plans: { mib: 24, roles: ['api', 'worker'] },
  rules: { mib: 24, roles: ['api', 'worker'] },
  alertWords: { mib: 16, roles: ['api', 'worker'] },
  vocabularies: { mib: 16, roles: ['api', 'worker'] },
  linkifiers: { mib: 16, roles: ['api', 'worker'] },
  rendered: { mib: 16, roles: ['api', 'worker'] },
} as const satisfies Record<string, MemoryBudget>;

export type MemoryBudgetName = keyof typeof memoryBudgets;

/** What else a node takes at most, in MiB: it was measured, or other limits bound it. */
export const memoryReserves: Record<NodeRole, Readonly<Record<string, number>>> = {
  api: { process: 200, 'two parsing threads': 120, 'two passwords': 38, 'requests under way': 64 },
  queue: { process: 110, '19 000 polls': 145, 'four logs being opened': 48 },
  worker: { process: 160, 'two parsing threads': 120, 'jobs under way': 200 },
};

const bytesOfMib = (mib: number) => mib * 1024 * 1024;

/** Returns the most bytes that a budget allows, unless a setting says otherwise. */
export const memoryBudget = (name: MemoryBudgetName): number => bytesOfMib(memoryBudgets[name].mib);

/** Returns the most MiB that a node holds. Settings may have given some of its budgets another size, in MiB. */
export function mostMemoryMib(
  role: NodeRole,
  changed: Partial<Record<MemoryBudgetName, number>> = {},
): number {
  const counted = Object.entries<MemoryBudget>(memoryBudgets)
    .filter(([, { roles }]) => roles.includes(role))
    // Safe: the names come from the object.
    .map(([name, { mib }]) => changed[name as MemoryBudgetName] ?? mib);
  return [...counted, ...Object.values(memoryReserves[role])].reduce((sum, mib) => sum + mib, 0);
}

/** How much of a process's memory its budgets may take: the rest is garbage that has not been collected yet. */
export const memoryShareMax = 0.9;

/** Returns what to tell an operator if a node may hold more than its container has; null if all is well. */
export function memoryShortage(
  role: NodeRole,
  changed: Partial<Record<MemoryBudgetName, number>> = {},
  availableBytes = process.constrainedMemory() ?? 0,
): { needsMib: number; hasMib: number } | null {
  // Where nothing limits a process, it is told 0, or more bytes than there are.
  if (availableBytes === 0 || availableBytes > Number.MAX_SAFE_INTEGER) return null;
  const needsMib = Math.ceil(mostMemoryMib(role, changed) / memoryShareMax);
  const hasMib = Math.floor(availableBytes / bytesOfMib(1));
  return needsMib > hasMib ? { needsMib, hasMib } : null;
}

/** Tells operators, when a node starts, if its container has less memory than the node may hold. */
export function warnOfShortMemory(
  role: NodeRole,
  logger: Logger,
  changed: Partial<Record<MemoryBudgetName, number>> = {},
): void {
  const shortage = memoryShortage(role, changed);
  if (shortage)
    logger.warn(
      shortage,
      'This container has less memory than the node may use. Raise its limit, or lower a budget.',
    );
}

/** What takes memory from a budget. */
interface MemoryHolder {
  readonly bytes: number;
  readonly bytesMax: number;
}

interface Holders {
  /** They are found as long as somebody else needs them. */
  known: WeakRef<MemoryHolder>[];
  /** With so many, those that are gone are forgotten. */
  knownMax: number;
}

const holders = new Map<MemoryBudgetName, Holders>();

/** Shows what holds memory to whoever measures this process, for as long as it lives. */
export function showMemory(name: MemoryBudgetName, holder: MemoryHolder): void {
  const ofName = holders.get(name) ?? { known: [], knownMax: 8 };
  holders.set(name, ofName);
  ofName.known.push(new WeakRef(holder));
  if (ofName.known.length < ofName.knownMax) return;
  ofName.known = ofName.known.filter((known) => known.deref());
  ofName.knownMax = Math.max(8, 2 * ofName.known.length);
}

/** Lists what holds memory in this process. */
export function* heldMemory(): Iterable<MemoryHolder & { name: MemoryBudgetName }> {
  for (const [name, { known: ofName }] of holders) {
    for (const known of ofName) {
      const holder = known.deref();
      if (holder) yield { name, bytes: holder.bytes, bytesMax: holder.bytesMax };
    }
  }
}

/**
 * A cache of at most so many values, all of about the same small size. The least recently used go first. It takes memory for
 * those that it has: told of a number alone, the library takes it for all that may ever come, and every process for each of
 * its caches as it starts.
 */
export class SmallCache<
  Key extends string | number,
  Value extends object | string | number | true,
> extends LRUCache<Key, Value> {
  constructor(
    countMax: number,
    options: Pick<LRUCache.OptionsMaxLimit<Key, Value, unknown>, 'ttl' | 'fetchMethod'> = {},
  ) {
    super({ ...options, maxSize: countMax, sizeCalculation: () => 1 });
  }
}

interface BoundedCacheOptions<Value> {
  /** What a value takes of memory when it is set, about. */
  readonly bytesOf: (value: Value) => number;
  ttlMs?: number;
  bytesMax?: number;
}

/** What an item takes beside its value. */
const itemBytes = 200;

/** A cache that takes its memory from a budget and is measured. The least recently used go first. */
export class BoundedCache<Key extends string | number, Value extends object | string> extends LRUCache<
  Key,
  Value
> {
  constructor(
    name: MemoryBudgetName,
    { bytesOf, ttlMs = 0, bytesMax = memoryBudget(name) }: BoundedCacheOptions<Value>,
  ) {
    super({
      maxSize: bytesMax,
      ttl: ttlMs,
      sizeCalculation: (value, key) =>
        itemBytes + (typeof key === 'string' ? key.length : 0) + Math.ceil(bytesOf(value)),
    });
    showMemory(name, this);
  }

  get bytes(): number {
    return this.calculatedSize;
  }

  get bytesMax(): number {
    return this.maxSize;
  }

  /**
   * Counts a value anew: it has grown, or what it takes was not known before. The library looks at the size of what is set
   * only where it is another value.
   */
  recount(key: Key, value: Value, bytes: number): void {
    if (this.peek(key) !== value) return;
    this.delete(key);
    this.set(key, value, { size: itemBytes + Math.ceil(bytes) });
  }
}

/** What an object, a list or a text takes beside what is in it, and a number or a field. */
const [objectBytes, fieldBytes] = [40, 16];

/** Returns about what plain data takes in memory. Functions, and what `isShared` says others hold, count nothing. */
export function bytesOfData(value: unknown, isShared: (value: object) => boolean = () => false): number {
  if (typeof value === 'string') return objectBytes + value.length;
  if (typeof value !== 'object' || value === null || isShared(value)) return 0;
  const parts =
    value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + fieldBytes + bytesOfData(part, isShared), objectBytes);
}
