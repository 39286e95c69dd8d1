import { readFile } from 'node:fs/promises';

import { otherFiles } from '../../proxy/limits.ts';

/** What the system lets a process have. */
export interface SystemLimits {
  /** Files and sockets of one process. */
  openFiles: number;
  /** Connections from one address to one port. */
  sourcePorts: number;
  /** Whether every address of 127.0.0.0/8 is this machine's. */
  hasManyAddresses: boolean;
}

/** What a proxy is started with, so that it holds what its queue nodes do. */
export interface ProxySize {
  workers: number;
  /** Addresses from which it connects to nodes, each with ports of its own; none if the usual one is enough. */
  sources: readonly string[];
}

export interface Capacity {
  /** Polls that can wait at once. */
  polls: number;
  /** What would run out first. */
  scarcest: string;
}

/** A poll is two connections of the proxy: to its client, and to a node. */
const connectionsPerPoll = 2;
/** For nodes that there are, and for places of nodes that may come later. */
const workersMax = { now: 64, later: 8 };
const sourcesMax = 64;
/** Connections fall to addresses by chance: so full may one be on average when the next connection finds a port. */
const fullness = 0.9;
/**
 * So full may one be on average when the next connection finds a port soon: Linux looks for one among every other of them, one
 * after the other, and a port whose connection has ended stays taken for a minute.
 */
const quickFullness = 0.25;

export async function readSystemLimits(): Promise<SystemLimits> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  // The soft limit is the first figure; programs raise theirs to the second, the hard one, by themselves.
  const openFiles = Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1] ?? 1024);
  const [first = 32_768, last = 60_999] = range.split(/\s+/).filter(Boolean).map(Number);
  return { openFiles, sourcePorts: last - first + 1, hasManyAddresses: process.platform === 'linux' };
}

/**
 * Enough workers for all that the queue nodes can hold, no fewer than there are processors, and enough addresses. For
 * nodes that may come later, of so many `places`, there are a few.
 */
export function sizeOf(
  limits: SystemLimits,
  queueNodes: number,
  processors: number,
  places = queueNodes,
): ProxySize {
  const perNode = perProcess(limits);
  const wanted = Math.ceil(perNode / (limits.sourcePorts * quickFullness));
  const addresses = limits.hasManyAddresses ? Math.min(wanted, sourcesMax) : 1;
  const sources =
    addresses > 1 ? Array.from({ length: addresses }, (_, index) => `127.0.0.${2 + index}`) : [];
  const pollsPerNode = Math.min(perNode, portsOf(limits, sources));
  const workersFor = (nodes: number) => Math.ceil((connectionsPerPoll * nodes * pollsPerNode) / perNode);
  const now = Math.min(workersFor(queueNodes), workersMax.now);
  const later = Math.min(workersFor(places), workersMax.later);
  return { workers: Math.max(Math.min(processors, 4), now, later), sources };
}

/** What such a proxy in front of so many queue nodes can hold. Clients share workers evenly, by chance. */
export function capacityOf(
  limits: SystemLimits,
  { workers, sources }: ProxySize,
  { queueNodes, perAddress }: { queueNodes: number; perAddress: number },
): Capacity {
  const perNode = perProcess(limits);
  const ports = portsOf(limits, sources);
  const bounds = [
    {
      polls: queueNodes * perNode,
      scarcest: `files of the queue nodes, ${queueNodes} × ${limits.openFiles}`,
    },
    {
      polls: Math.floor((workers * perNode) / connectionsPerPoll),
      scarcest: `connections of the proxy, ${workers} × ${perNode}`,
    },
    {
      polls: queueNodes * ports,
      scarcest: `ports of the proxy's ${sources.length > 1 ? `${sources.length} addresses` : 'address'}, ${queueNodes} × ${ports}`,
    },
  ];
  const { polls, scarcest } = bounds.reduce((least, bound) => (bound.polls < least.polls ? bound : least));
  return { polls, scarcest: `${scarcest}; ${Math.min(perAddress, polls)} from one address` };
}

const perProcess = ({ openFiles }: SystemLimits) => Math.max(openFiles - otherFiles, 0);

/** Connections from the proxy to one node. */
const portsOf = ({ sourcePorts }: SystemLimits, sources: readonly string[]) =>
  sources.length > 1 ? Math.floor(sources.length * sourcePorts * fullness) : sourcePorts;
