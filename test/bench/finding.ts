import type { BenchServers } from './bench-servers.ts';

/** What a benchmark found: figures for programs, rows and bars for people. */
export interface Finding {
  figures: Record<string, unknown>;
  rows: [string, string | number][];
  picture: [string, number][];
  /** What the figures say about a claim, where one is made. */
  claim?: { holds: boolean; result: string };
}

export type Say = (line: string) => void;

interface BenchOptions {
  /** Another program to be measured beside ours, by name. */
  peer?: string | undefined;
  /** Of the organization that is exported. */
  messages: number;
  /** How many realms have rings, and how long they are watched. */
  realms: number;
  seconds: number;
  /** What is broken on purpose. */
  broken?: string | undefined;
}

export type Bench = (servers: BenchServers, say: Say, options: BenchOptions) => Promise<Finding>;
