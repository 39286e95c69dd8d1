import { hostname } from 'node:os';

import { type Clock, type Logger, every } from '@parley/kit';
import type { Redis } from 'ioredis';
import { z } from 'zod';

import { keys } from './keys.ts';
import type { Signer } from './signer.ts';

const announceMs = 2000;
/** A node that has said nothing for so long is gone. Clocks of machines may differ by some of it. */
const silentMsMax = 15_000;
const scope = 'node';

const AnnouncedNode = z.object({
  role: z.string().max(20),
  host: z.string().max(255),
  pid: z.int(),
  startedMs: z.number(),
  saidMs: z.number(),
  /** What it measures, by the names of metrics. */
  measured: z.record(z.string().max(100), z.number()),
  /** The forms of ids that it can count. Nodes of versions before 0.9 do not say it. */
  idForms: z.array(z.string().max(20)).max(20).default(['wide']),
});

/** A node, as it last said of itself. */
type AnnouncedNode = z.infer<typeof AnnouncedNode>;

interface AnnouncerDeps {
  redis: Redis;
  signer: Signer;
  clock: Clock;
  logger: Logger;
  role: string;
  readonly measure: () => Promise<Record<string, number>>;
}

/** Says every two seconds that a node of this role runs in this process, until disposed of. */
export function announceNode({
  redis,
  signer,
  clock,
  logger,
  role,
  measure,
}: AnnouncerDeps): AsyncDisposable {
  const startedMs = clock.nowMs();
  const host = hostname();
  const id = `${role} ${host} ${process.pid} ${startedMs}`;
  const announcing = every(announceMs, logger, async () => {
    const said = {
      role,
      host,
      pid: process.pid,
      startedMs,
      saidMs: clock.nowMs(),
      measured: await measure(),
      idForms: ['wide', 'dense'],
    };
    await redis.hset(keys.nodes, id, signer.sign(scope, JSON.stringify(said)));
  });
  return {
    async [Symbol.asyncDispose]() {
      announcing[Symbol.dispose]();
      await redis.hdel(keys.nodes, id).catch(() => undefined);
    },
  };
}

/** Returns the nodes that run, by role and host. Those that are gone are forgotten. */
export async function listNodes(redis: Redis, signer: Signer, clock: Clock): Promise<AnnouncedNode[]> {
  const said = Object.entries(await redis.hgetall(keys.nodes)).map(([id, signed]) => {
    const json = signer.verify(scope, signed);
    const parsed = json === null ? undefined : AnnouncedNode.safeParse(JSON.parse(json));
    return { id, node: parsed?.data };
  });
  const isThere = ({ node }: (typeof said)[number]) =>
    node !== undefined && Math.abs(clock.nowMs() - node.saidMs) < silentMsMax;
  const gone = said.filter((one) => !isThere(one)).map(({ id }) => id);
  if (gone.length > 0) await redis.hdel(keys.nodes, ...gone);
  const nameOf = ({ role, host, pid }: AnnouncedNode) => `${role} ${host} ${String(pid).padStart(10)}`;
  return said
    .filter(isThere)
    .flatMap(({ node }) => node ?? [])
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
