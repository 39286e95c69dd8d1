import { type Operation, type OperationKind, operations, perform } from './operations.ts';
import { type Shape, Simulation } from './simulation.ts';
import { takeOverTimers } from './timers.ts';
import { World } from './world.ts';

/** What happens in one world: all of it follows from its number, and from which of its operations are left out. */
export interface Schedule {
  readonly seed: number;
  readonly shape: Shape;
  readonly operations: readonly Operation[];
}

const kinds = Object.keys(operations) as OperationKind[];
const weights = kinds.flatMap((kind) => Array.from({ length: operations[kind].weight }, () => kind));
const isFault = (kind: OperationKind) => operations[kind].fault !== null;
const faultsMax = 5;

/**
 * Half of the schedules are small: most of what the guards are against is found in them with two thirds of the processor
 * time. What needs many nodes, clients or faults is found in the others alone.
 */
function shapeOf(world: World): Shape & { length: number } {
  if (world.below(2) === 0)
    return {
      realms: 1 + (world.below(5) === 0 ? 1 : 0),
      clients: 2 + world.below(3),
      apiNodes: 1 + world.below(2),
      queueNodes: 1 + world.below(3),
      length: 6 + world.below(20),
    };
  return {
    realms: 1 + (world.below(10) === 0 ? 1 : 0),
    clients: 2 + (world.below(3) === 0 ? 1 : 0),
    apiNodes: 1 + (world.below(2) === 0 ? 1 : 0),
    queueNodes: 1 + world.below(2),
    length: 4 + world.below(10),
  };
}

/** Returns the schedule of a number; of its operations those at some places, if these are given. */
export function createSchedule(seed: number, kept: readonly number[] | null = null): Schedule {
  const world = new World(seed ^ 0x5bd1e995);
  const { length, ...shape } = shapeOf(world);
  const made: Operation[] = [];
  for (let faults = 0; made.length < length;) {
    const kind = weights[world.below(weights.length)] ?? 'time passes';
    if (isFault(kind)) faults += 1;
    if (faults > faultsMax && isFault(kind)) continue;
    const isSoon = world.random() < 0.5;
    const afterMs =
      kind === 'time passes' ? 300 + world.below(1500) : isSoon ? world.below(8) : world.below(250);
    made.push({ kind, afterMs, which: world.below(1 << 16), much: world.random() });
  }
  return { seed, shape, operations: kept ? made.filter((_, index) => kept.includes(index)) : made };
}

export interface Outcome {
  /** What does not hold, in words; none if all holds. */
  violations: readonly string[];
  faults: Readonly<Record<string, number>>;
  steps: number;
  digest: number;
  sent: number;
  heard: number;
  told: number;
}

const current: { world: World } = { world: new World(0) };
const quietMs = 500;
const settlesMs = 45_000;
const checkMs = 250;

/** Makes this process one of simulations: its timers, chances and time are those of the world that runs. */
export function beginSimulating(): void {
  takeOverTimers(() => current.world);
}

/** Runs one schedule to its end. `onStep` hears of each operation. */
export async function runSchedule(
  schedule: Schedule,
  onStep: (nowMs: number, what: string) => void = () => undefined,
): Promise<Outcome> {
  const world = new World(schedule.seed);
  current.world = world;
  const startMs = world.nowMs;
  const simulation = new Simulation(world, schedule.shape);
  const { checker } = simulation;
  const isOver = () => checker.violations.length > 0;
  await world.run(world.nowMs + 100, isOver);
  for (const operation of schedule.operations) {
    await world.run(world.nowMs + operation.afterMs, isOver);
    if (isOver()) break;
    onStep(world.nowMs - startMs, describe(operation));
    world.place = world.outside;
    perform(simulation, operation);
  }
  world.place = world.outside;
  if (!isOver()) await settle(simulation, isOver);
  simulation.end();
  return {
    violations: checker.violations,
    faults: simulation.faults,
    steps: world.happenings,
    digest: world.digest,
    sent: checker.acknowledged.length,
    heard: checker.heard,
    told: checker.told,
  };
}

/** Ends all faults, and waits until everybody knows what there is to know. */
async function settle(simulation: Simulation, isOver: () => boolean): Promise<void> {
  const { world, checker } = simulation;
  simulation.heal();
  await world.run(world.nowMs + quietMs, isOver);
  const untilMs = world.nowMs + settlesMs;
  for (
    let problem = simulation.findUnsettled();
    problem !== null && !isOver();
    problem = simulation.findUnsettled()
  ) {
    if (world.nowMs > untilMs) return checker.violate(problem);
    await world.run(world.nowMs + checkMs, isOver);
  }
}

export const describe = ({ kind, which, much }: Operation): string =>
  `${kind} (${which}, ${much.toFixed(2)})`;
