import { deriveApiKey } from '@parley/http';
import type { Logger } from '@parley/kit';
import { keys } from '@parley/redis';

import { ApiNode, type Caller } from './api-node.ts';
import { Network } from './network.ts';
import { type Node, QueueNode, type Reply, type Surroundings, secret } from './nodes.ts';
import { SimulatedPostgres } from './postgres/server.ts';
import type { DatabaseState } from './postgres/state.ts';
import { commands } from './redis/commands.ts';
import { RedisServer } from './redis/server.ts';
import type { Place, World } from './world.ts';

export interface ClusterOptions {
  apiNodes: number;
  queueNodes: number;
  state: DatabaseState;
  logger: Logger;
}

/** A request that is under way. */
interface Asked {
  readonly caller: Caller;
  readonly from: Place;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly onReply: (reply: Reply) => void;
  /** No answer comes any more. */
  readonly onLost: () => void;
}

interface UnderWay {
  isOver: boolean;
  giveUp: () => void;
}

const skewMsMax = 400;
/** How long whoever distributes requests takes to notice that a node is gone. */
const noticedMs = 300;

/** The nodes of a deployment with their stores, behind something that distributes requests. */
export class Cluster {
  readonly network: Network;
  readonly postgres: SimulatedPostgres;
  readonly redis: RedisServer;
  nodes: Node[] = [];
  private readonly surroundings: Surroundings;
  private readonly world: World;
  private started = 0;
  /** The requests that were sent to nodes and are not answered. */
  private readonly underWay = new Map<Node, Set<Asked & UnderWay>>();
  /** Nodes that are gone, and still get requests. */
  private readonly unnoticed = new Set<Node>();

  constructor(world: World, { apiNodes, queueNodes, state, logger }: ClusterOptions) {
    this.world = world;
    this.network = new Network(world);
    this.postgres = new SimulatedPostgres(this.network, state);
    this.redis = new RedisServer(this.network);
    this.surroundings = { world, postgres: this.postgres, redis: this.redis, logger };
    for (let count = 0; count < apiNodes; count += 1) this.start('api');
    for (let count = 0; count < queueNodes; count += 1) this.start('queue');
  }

  /** Starts a node, in a place of its own. */
  start(role: Node['role']): void {
    this.started += 1;
    const place = this.world.createPlace(`${role}-${this.started}`);
    const skewMs = this.world.below(4) === 0 ? this.world.below(skewMsMax) - skewMsMax / 2 : 0;
    const before = this.world.place;
    this.world.place = place;
    const node =
      role === 'api'
        ? new ApiNode(this.surroundings, place, skewMs)
        : new QueueNode(this.surroundings, place, skewMs);
    this.world.place = before;
    this.nodes.push(node);
  }

  listNodes(role: Node['role']): Node[] {
    return this.nodes.filter((node) => node.role === role);
  }

  /** A node dies, and another takes its place after a while. What it was asked is never answered. */
  kill(node: Node, restartMs: number): void {
    this.remove(node);
    for (const one of this.underWay.get(node) ?? []) this.lose(one);
    this.underWay.delete(node);
    this.world.after(this.world.outside, restartMs, () => this.start(node.role));
    this.end(node);
  }

  /** A node ends as it does when another version takes its place: it answers everybody first. */
  drain(node: QueueNode): void {
    this.remove(node);
    this.start('queue');
    this.world.after(node.place, 0, () => {
      void node.drain().then(() => {
        for (const one of this.underWay.get(node) ?? []) this.lose(one);
        this.underWay.delete(node);
        this.end(node);
      });
    });
  }

  private remove(node: Node): void {
    this.nodes = this.nodes.filter((one) => one !== node);
    this.unnoticed.add(node);
    this.world.after(this.world.outside, noticedMs, () => this.unnoticed.delete(node));
  }

  /** What a process holds goes with it. What that leads to in the code under test happens in a place that is dead. */
  private end(node: Node): void {
    node.place.isAlive = false;
    this.world.place = node.place;
    void node[Symbol.asyncDispose]();
  }

  /** Somebody who can write to Redis writes an entry that nobody has appended. */
  forge(realmId: number): void {
    const head = this.postgres.primary.state.head(realmId);
    const seq = head.seq + 1;
    const event = { type: 'realm', op: 'update', property: 'forged', value: seq };
    const entry = JSON.stringify({ seq, term: head.term, audience: {}, event });
    const fields = ['r', realmId, 's', seq, 'e', `${'x'.repeat(22)}${entry}`];
    commands['xadd']?.(this.redis, [keys.log(0), 'MINID', '~', 0, '*', ...fields], this.world.nowMs);
  }

  endAll(): void {
    for (const node of this.nodes) this.end(node);
  }

  private lose(one: Asked & UnderWay): void {
    if (one.isOver) return;
    one.isOver = true;
    this.world.at(one.from, this.network.arrivalMs(this.world.outside, one.from), one.onLost);
  }

  /** Hands a request to some node. Returns what the client does when it waits no longer. */
  ask(asked: Asked): () => void {
    const role = asked.path === '/events' ? 'queue' : 'api';
    const candidates = [...this.listNodes(role), ...[...this.unnoticed].filter((node) => node.role === role)];
    const node = candidates[this.world.below(candidates.length)];
    const one: Asked & UnderWay = { ...asked, isOver: false, giveUp: () => undefined };
    if (!node?.place.isAlive) {
      this.lose(one);
      return () => (one.isOver = true);
    }
    const { place } = node;
    const asking = this.underWay.get(node) ?? new Set();
    this.underWay.set(node, asking.add(one));
    this.world.at(place, this.network.arrivalMs(asked.from, place), () => this.serve(node, one));
    return () => {
      if (one.isOver) return;
      one.isOver = true;
      this.world.at(place, this.network.arrivalMs(asked.from, place), () => one.giveUp());
    };
  }

  private serve(node: Node, one: Asked & UnderWay): void {
    const onReply = (reply: Reply) => {
      this.underWay.get(node)?.delete(one);
      this.world.at(one.from, this.network.arrivalMs(node.place, one.from), () => {
        if (one.isOver) return;
        one.isOver = true;
        one.onReply(reply);
      });
    };
    const { caller, method, path, query } = one;
    if (node instanceof QueueNode) {
      const authorization = authorizationOf(caller);
      const url = `/api/v1/events?${query}`;
      one.giveUp = node.serve({ method, url, realmId: caller.realmId, authorization }, onReply);
    } else if (node instanceof ApiNode) {
      void node.serve(path, caller, new URLSearchParams(query)).then(onReply);
    }
  }
}

const authorizations = new Map<number, string>();

/** Returns what an account shows with each request. */
function authorizationOf({ userId }: Caller): string {
  const known = authorizations.get(userId);
  if (known !== undefined) return known;
  const pair = `user${userId}@chat.example:${deriveApiKey(secret, userId, 0)}`;
  const made = `Basic ${Buffer.from(pair).toString('base64')}`;
  authorizations.set(userId, made);
  return made;
}
