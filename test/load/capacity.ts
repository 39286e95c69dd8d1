import { availableParallelism } from 'node:os';

import {
  type SystemLimits,
  capacityOf,
  connectionsPerAddressMax,
  readSystemLimits,
  sizeOf,
} from '@parley/infra';

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
  /** The address from which each process of clients connects. Each address has its own ports, and its own limits. */
  addresses: string[];
  openFiles: number;
}

/** Files that a process of clients opens besides the connections that wait, and ports. */
const otherFiles = 500;
/** More connections than this keep one process of clients from being on time. */
const connectionsPerProcess = 8000;
/** Connections are not spread evenly over the proxy's workers. */
const evenness = 0.95;
const processesMin = 2;
/** From 127.0.1.1 on: the first ones are the proxy's. */
const addressesMax = 250;
const addressOf = (process: number) => `127.0.1.${1 + process}`;

/** How many waiting connections this machine can hold: at the clients, at the proxy and at the queue nodes. */
export async function capacityFor(
  { connections, queueNodes }: Asked,
  limits?: SystemLimits,
  processors = availableParallelism(),
): Promise<Capacity> {
  const system = limits ?? (await readSystemLimits());
  const { openFiles, sourcePorts, hasManyAddresses } = system;
  const perAddress = Math.min(connectionsPerAddressMax, sourcePorts) - otherFiles;
  const perProcess = Math.min(connectionsPerProcess, openFiles - otherFiles, perAddress);
  const proxy = sizeOf(system, queueNodes, processors);
  const held = capacityOf(system, proxy, { queueNodes, perAddress: connectionsPerAddressMax });
  const bounds = [
    {
      most: Math.floor(held.polls * evenness),
      because: `the cluster holds ${held.polls} (limit: ${held.scarcest})`,
    },
    hasManyAddresses
      ? {
          most: addressesMax * perProcess,
          because: `${addressesMax} processes of clients may each open ${perProcess}`,
        }
      : { most: perAddress, because: `all clients have one address here, from which ${perAddress} fit` },
  ];
  const narrowest = bounds.reduce((least, bound) => (bound.most < least.most ? bound : least));
  const processes = Math.max(processesMin, Math.ceil(Math.min(connections, narrowest.most) / perProcess));
  const addresses = Array.from({ length: processes }, (_, process) =>
    hasManyAddresses ? addressOf(process) : '127.0.0.1',
  );
  return { ...narrowest, openFiles, addresses };
}
