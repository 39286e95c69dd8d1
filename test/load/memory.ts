import { readFile } from 'node:fs/promises';

import type { Cluster } from '@parley/infra';

import { usageOf } from '../support/process-usage.ts';
import { metricsOf } from './node-metrics.ts';

/** Bytes by part, at one moment. */
export type Memory = Record<string, number>;

export interface PartOfMemory {
  name: string;
  /** What it grew by while polls began to wait, and of that each of them. */
  mib: number;
  kibPerPoll: number;
}

const mebibyte = 1024 * 1024;
const pageBytes = 4096;

/** Caches of the kernel for what a socket consists of. */
const socketCaches =
  /^(?:TCP|sock_inode_cache|filp|skbuff_\w+|eventpoll_\w+|request_sock_TCP|tcp_bind_bucket|tcp_bind2_bucket) /;

/** Memory of queue nodes, the proxy, clients, and of the kernel for sockets. Where the kernel does not say, that is missing. */
export async function readMemory(cluster: Cluster, clientPids: readonly number[]): Promise<Memory> {
  const queueNodes = cluster.nodes.filter(({ role }) => role === 'queue');
  const sumOf = (pids: readonly (number | undefined)[]) =>
    pids.reduce<number>((sum, pid) => sum + usageOf(String(pid)).mib * mebibyte, 0);
  const [heaps, kernel] = await Promise.all([
    Promise.all(queueNodes.map(async (node) => (await metricsOf(node)).of('nodejs_heap_size_used_bytes'))),
    readKernel(),
  ]);
  return {
    'queue nodes': sumOf(queueNodes.map(({ pid }) => pid)),
    'of them, heap': heaps.reduce((sum, one) => sum + one, 0),
    proxy: sumOf([cluster.proxy.pid]),
    ...kernel,
    clients: sumOf(clientPids),
  };
}

/**
 * What the kernel holds for sockets, of everything on this machine: also of clients, whose sockets are one of the four that a
 * poll through a proxy takes.
 */
async function readKernel(): Promise<Memory> {
  const read = (file: string) => readFile(`/proc/${file}`, 'utf8').catch(() => '');
  const [slabs, sockets] = await Promise.all([read('slabinfo'), read('net/sockstat')]);
  const caches = slabs.split('\n').filter((line) => socketCaches.test(line));
  const inCaches = caches.reduce((sum, line) => {
    const [, , objects = 0, size = 0] = line.split(/\s+/).map(Number);
    return sum + objects * size;
  }, 0);
  const pages = Number(/^TCP:.* mem (\d+)/m.exec(sockets)?.[1] ?? 0);
  return {
    ...(caches.length > 0 && { 'kernel, sockets': inCaches }),
    'kernel, unread bytes': pages * pageBytes,
  };
}

/** What each poll took, by what each part grew while they began to wait. */
export function memoryPerPoll(before: Memory, after: Memory, polls: number): PartOfMemory[] {
  return Object.entries(after).map(([name, bytes]) => {
    const grown = bytes - (before[name] ?? 0);
    return { name, mib: grown / mebibyte, kibPerPoll: grown / 1024 / Math.max(1, polls) };
  });
}
