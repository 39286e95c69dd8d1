import type { Cluster, PostgresServer } from '@parley/infra';
import { pause } from '@parley/kit';

import type { ChaosRealm } from '../chaos-realm.ts';
import type { Links } from '../links.ts';
import type { Receiver } from '../receiver.ts';
import type { ScheduledSend } from '../schedule-checker.ts';

/** What a scenario breaks. */
export interface Stage {
  cluster: Cluster;
  links: Links;
  receiver: Receiver;
  /** The Postgres that nodes are to find; another one after each fail-over. */
  servers: { primary: PostgresServer | null };
  /** Resolves when this part of the messages that are scheduled at once is sent. */
  readonly untilSent: (part: number) => Promise<void>;
  /** Which of so many is broken at a turn: each once before one comes again, in the order that the seed gives. */
  readonly placeOf: (turn: number, count: number) => number;
  /** Called when something is broken. */
  readonly onFault: (what: string) => void;
}

/** Whoever schedules messages in a scenario. */
export interface Scheduling {
  cluster: Cluster;
  links: Links;
  realm: ChaosRealm;
  /** How many, where they are scheduled at once. */
  messages: number;
  /** What their texts begin with. */
  prefix: string;
  /** Aborts when nothing more is to be scheduled. */
  signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** What is broken while clients send and listen. */
export interface Scenario {
  name: string;
  about: string;
  /** Schedules messages, which workers send. Resolves with those that were acknowledged. */
  schedules?(scheduling: Scheduling): Promise<ScheduledSend[]>;
  /** Whether bots are asked all the while, whose service workers ask. */
  asks?: boolean;
  /** The kind of Redis that it needs. */
  redis?: 'alone' | 'sentinel' | 'cluster';
  /** Whether the matrix leaves it out, because it breaks nothing, or takes longer than others. */
  isApart?: boolean;
  /** Whether it comes after those that break the first server of a cluster, which is gone then. */
  isLast?: boolean;
  /** Whether the end of the log is lost, of which each client is to be told. */
  losesHistory?: boolean;
  /** Time between two faults in a run that goes on for a time. */
  everyMs: number;
  /** Number of turns after which it has broken everything that it can break. */
  turnsPerRound(cluster: Cluster): number;
  /** Breaks one thing, the next at each turn. Resolves when all that is wanted runs again. */
  breakOne(stage: Stage, turn: number): Promise<void>;
  /** Sets right what so many turns have left broken. */
  mend?(stage: Stage, turns: number): void;
}

/** How often something is broken. */
export const everyMs = 2500;

/** How long something stays broken: longer than it takes to notice. */
const brokenMs = 5000;

/** Breaks something, and mends it after a while. */
export async function forAWhile(stage: Stage, what: string, mend: () => void | Promise<void>): Promise<void> {
  stage.onFault(`${what} for ${brokenMs / 1000} s`);
  await pause(brokenMs);
  await mend();
}
