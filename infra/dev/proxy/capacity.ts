import { readFile } from 'node:fs/promises';

/** What the system lets a process have. */
export interface SystemLimits {
  /** Files and sockets of one process. */
  openFiles: number;
  /** Connections from one address to one port. */
  sourcePorts: number;
}

export interface Capacity {
  /** Polls that can wait at once. */
  polls: number;
  /** What would run out first. */
  scarcest: string;
}

/** Files that a process opens besides the connections of polls. */
export const otherFiles = 100;
/** A poll is two connections of the proxy: to its client, and to a node. */
const connectionsPerPoll = 2;
const workersMax = 8;

export async function readSystemLimits(): Promise<SystemLimits> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  // The soft limit is the first figure; programs raise theirs to the second, the hard one, by themselves.
  const openFiles = Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1] ?? 1024);
  const [first = 32_768, last = 60_999] = range.split(/\s+/).filter(Boolean).map(Number);
  return { openFiles, sourcePorts: last - first + 1 };
}

/** Enough workers for all that the queue nodes can hold, and no fewer than there are processors. */
export function workersFor(limits: SystemLimits, queueNodes: number, processors: number): number {
  const wanted = Math.ceil((connectionsPerPoll * pollsOfNodes(limits, queueNodes)) / perProcess(limits));
  return Math.max(Math.min(processors, 4), Math.min(wanted, workersMax));
}

/** What a proxy of so many workers in front of so many queue nodes can hold. Clients share workers evenly, by chance. */
export function capacityOf(
  limits: SystemLimits,
  { queueNodes, workers, perAddress }: { queueNodes: number; workers: number; perAddress: number },
): Capacity {
  const { openFiles, sourcePorts } = limits;
  const nodes = pollsOfNodes(limits, queueNodes);
  const ofProxy = Math.floor((workers * perProcess(limits)) / connectionsPerPoll);
  const scarcest =
    ofProxy < nodes
      ? `connections of the proxy, ${workers} × ${perProcess(limits)}`
      : perProcess(limits) <= sourcePorts
        ? `files of the queue nodes, ${queueNodes} × ${openFiles}`
        : `ports of the proxy's address, ${queueNodes} × ${sourcePorts}`;
  return {
    polls: Math.min(nodes, ofProxy),
    scarcest: `${scarcest}; ${Math.min(perAddress, nodes, ofProxy)} from one address`,
  };
}

const perProcess = ({ openFiles }: SystemLimits) => Math.max(openFiles - otherFiles, 0);

const pollsOfNodes = (limits: SystemLimits, queueNodes: number) =>
  queueNodes * Math.min(perProcess(limits), limits.sourcePorts);
