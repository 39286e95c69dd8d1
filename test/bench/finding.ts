import type { BenchServers } from './bench-servers.ts';

/** What a benchmark found: figures for programs, rows and bars for people. */
export interface Finding {
  figures: Record<string, unknown>;
  rows: [string, string | number][];
  picture: [string, number][];
}

export type Say = (line: string) => void;

interface BenchOptions {
  /** Another program to be measured beside ours, by name. */
  peer?: string | undefined;
}

export type Bench = (servers: BenchServers, say: Say, options: BenchOptions) => Promise<Finding>;
