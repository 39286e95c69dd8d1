import { pause } from '@parley/kit';
import pLimit from 'p-limit';

import { isPortFree } from '../machine/free-port.ts';
import { type NodeCounts, type NodeProcess, type Role, roles } from './cluster-node.ts';
import { type NodeSource, type Places, createNode, startNode } from './create-nodes.ts';

interface NodeChanges {
  scale(counts: Partial<NodeCounts>): Promise<void>;
  roll(): Promise<void>;
}

interface NodeChangesDeps {
  /** The nodes of the cluster, which change. */
  nodes: Set<NodeProcess>;
  source: NodeSource;
  places: Places;
  /** Called whenever a node or its process has come or gone. */
  readonly onChange: () => void;
}

/** Above the time after which the proxy tries a port again at which nobody listened. */
const noticeMs = 2500;

/** Changes the nodes of a running cluster, one change at a time. */
export function changeNodes({ nodes, source, places, onChange }: NodeChangesDeps): NodeChanges {
  const oneAtATime = pLimit(1);
  const present = (role: Role) =>
    [...nodes].filter((node) => node.role === role).sort((a, b) => a.number - b.number);

  async function add(added: readonly NodeProcess[]): Promise<void> {
    for (const node of added) {
      nodes.add(node);
      node.onChange(onChange);
    }
    try {
      await Promise.all(added.map(startNode));
    } catch (error) {
      await remove(added);
      throw error;
    }
    await pause(noticeMs);
  }

  async function remove(removed: readonly NodeProcess[]): Promise<void> {
    await Promise.all(removed.map((node) => node.stop()));
    for (const node of removed) nodes.delete(node);
    onChange();
  }

  async function scale(role: Role, count: number): Promise<void> {
    const before = present(role);
    const most = places[role].length;
    if (count > most) {
      throw new Error(`${count} ${role} nodes: there is room for ${most}. Start the cluster with more.`);
    }
    const taken = new Set(before.map(({ number }) => number));
    const added: number[] = [];
    for (let number = 1; before.length + added.length < count; number += 1) {
      const place = places[role][number - 1];
      if (!place)
        throw new Error(`Other programs have taken the ports of ${role} nodes. Start the cluster anew.`);
      // Nobody has held the ports since the cluster started.
      const isFree = (await isPortFree(place.port)) && (await isPortFree(place.metricsPort));
      if (isFree && !taken.has(number)) added.push(number);
    }
    if (added.length > 0) await add(added.map((number) => createNode(source, places, role, number)));
    if (before.length > count) await remove(before.slice(count));
  }

  async function roll(role: Role): Promise<void> {
    const before = present(role);
    // Somebody has to serve while the only one is replaced.
    if (before.length === 1) await scale(role, 2);
    for (const node of before) {
      await node.stop();
      await node.start();
      source.say(`${node.name} was replaced`);
    }
    if (before.length === 1) await scale(role, 1);
  }

  return {
    scale: (counts) =>
      oneAtATime(async () => {
        for (const role of roles) await scale(role, counts[role] ?? present(role).length);
      }),
    roll: () =>
      oneAtATime(async () => {
        for (const role of roles) await roll(role);
      }),
  };
}
