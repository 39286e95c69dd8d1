import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface Asked {
  /** Connections that wait at once. */
  connections: number;
  queueNodes: number;
}

export interface Capacity {
  /** The most connections that fit. */
  most: number;
  /** What keeps more from fitting, in words. */
  because: string;
  /** Processes of clients. */
  processes: number;
  openFiles: number;
}

/** Files that a process opens besides connections of clients. */
const otherFiles = 500;
/** More connections than this keep one process of clients from being on time. */
const connectionsPerProcess = 8000;
/** Connections are not spread evenly over the proxy's workers. */
const evenness = 0.95;

function openFilesMax(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024);
  } catch {
    return 1024;
  }
}

/** How many waiting connections this machine can hold: at the clients, at the proxy and at the queue nodes. */
export function capacityFor({ connections, queueNodes }: Asked): Capacity {
  const openFiles = openFilesMax();
  const perProcess = Math.min(connectionsPerProcess, openFiles - otherFiles);
  const workers = Math.min(availableParallelism(), 4);
  const bounds = [
    // A connection through the proxy is two.
    {
      most: Math.floor(((workers * (openFiles - otherFiles)) / 2) * evenness),
      because: `the proxy's ${workers} workers may each open ${openFiles} files, two for each connection`,
    },
    {
      most: queueNodes * (openFiles - otherFiles),
      because: `${queueNodes} queue nodes may each open ${openFiles} files`,
    },
  ];
  const [narrowest = { most: 0, because: '' }] = bounds.sort((a, b) => a.most - b.most);
  const held = Math.min(connections, narrowest.most);
  return { ...narrowest, openFiles, processes: Math.max(2, Math.ceil(held / perProcess)) };
}

/** Addresses of clients: each has its own ports, and its own limits. */
export const addressOf = (process: number) => `127.0.0.${10 + process}`;
