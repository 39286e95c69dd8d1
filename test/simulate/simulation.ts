import { encodeMembers } from '@parley/db';
import type { Logger } from '@parley/kit';
import { unsaidWarning } from '@parley/queue';

import { conversationsOf } from './api-node.ts';
import { Checker } from './checker.ts';
import { SimulatedClient } from './client.ts';
import { Cluster } from './cluster.ts';
import { DatabaseState } from './postgres/state.ts';
import type { World } from './world.ts';

export interface Shape {
  realms: number;
  clients: number;
  apiNodes: number;
  queueNodes: number;
}

/** The accounts of a realm are numbered from ten times its number on. */
export const accountsPerRealm = 4;
export const accountOf = (realmId: number, index: number) => realmId * 10 + (index % accountsPerRealm);

function createState(world: World, { realms }: Shape): DatabaseState {
  const state = new DatabaseState();
  for (let realmId = 1; realmId <= realms; realmId += 1) {
    const head = {
      realmId,
      seq: 0,
      term: '',
      epoch: world.uuid(),
      formerEpochs: [],
      rulesVersion: 1,
      messageId: 0,
      epochBeganMs: null,
    };
    state.heads.set(realmId, head);
    state.logs.set(realmId, []);
    const ids = Array.from({ length: accountsPerRealm }, (_, index) => accountOf(realmId, index));
    for (const id of ids) state.users.set(id, { id, realmId, email: `user${id}@chat.example` });
    state.lastAudienceId += 1;
    state.audiences.set(state.lastAudienceId, encodeMembers(ids.slice(0, 3)));
    const { channel, direct } = conversationsOf(realmId);
    state.conversations.set(channel, { ordinal: 0, audienceId: state.lastAudienceId });
    state.conversations.set(direct, { ordinal: 0, audienceId: null });
  }
  return state;
}

/** A deployment with its clients, in a world of its own. */
export class Simulation {
  readonly world: World;
  readonly cluster: Cluster;
  readonly checker: Checker;
  readonly clients: SimulatedClient[];
  readonly shape: Shape;
  /** How often each kind of fault came to pass. */
  readonly faults: Record<string, number> = {};

  constructor(world: World, shape: Shape) {
    this.world = world;
    this.shape = shape;
    this.cluster = new Cluster(world, {
      ...shape,
      state: createState(world, shape),
      logger: this.createLogger(),
    });
    this.checker = new Checker(this.cluster.postgres);
    this.clients = Array.from({ length: shape.clients }, (_, index) => {
      const realmId = 1 + (index % shape.realms);
      const userId = accountOf(realmId, Math.floor(index / shape.realms));
      return new SimulatedClient(world, this.cluster, this.checker, { realmId, userId }, index + 1);
    });
  }

  countFault(kind: string): void {
    this.faults[kind] = (this.faults[kind] ?? 0) + 1;
  }

  /**
   * What nodes log as an error is a bug, or something that a schedule has forged; or an entry of a lost history was carried
   * whose audience is lost with it, and the node follows the realm anew. A node that ends while it cannot reach Redis may be
   * the only one that knew how far it had served its queues.
   */
  private createLogger(): Logger {
    const silent = () => undefined;
    const error = (fields: object, message: string) => {
      const isLost = this.checker.mayTell && errorIn(fields).includes('was used before it was loaded');
      if (!isLost && !message.includes('signature'))
        this.checker.violate(`a node logs: ${message} ${errorIn(fields)}`);
    };
    const warn = (_fields: object, message: string) => {
      if (message === unsaidWarning) this.checker.mayTell = true;
    };
    return { trace: silent, debug: silent, info: silent, warn, error } as unknown as Logger;
  }

  /** All faults end. Whatever is left to be told is told soon. */
  heal(): void {
    const { network, postgres, redis, nodes } = this.cluster;
    network.healAll();
    postgres.endFormer();
    for (const place of [
      redis.place,
      ...postgres.servers.map((server) => server.place),
      ...nodes.map((node) => node.place),
    ])
      place.hangsUntilMs = 0;
    for (const client of this.clients) client.retryNow();
  }

  /** Returns what is not as it has to be in the end; null if all is. */
  findUnsettled(): string | null {
    if (this.clients.some(({ sending }) => sending > 0)) return 'a send is not answered';
    return this.checker.findUnsettled(this.clients.map(({ view }) => view));
  }

  end(): void {
    for (const client of this.clients) client.end();
    this.cluster.endAll();
  }
}

const errorIn = (fields: object): string =>
  'err' in fields && fields.err instanceof Error
    ? (fields.err.stack ?? fields.err.message)
    : JSON.stringify(fields);
