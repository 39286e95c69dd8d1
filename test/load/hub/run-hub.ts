import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Orders } from '../clients/messages.ts';
import { startClients } from '../clients/processes.ts';
import { type Extent, untilOver, warmUp } from '../extent.ts';
import type { Rates } from '../kinds.ts';
import type { Organization } from '../organizations.ts';
import { preciseNowMs } from '../recorder.ts';
import { clientProcesses, cpuByRole, watch } from '../samples.ts';
import { type Totals, createTally } from '../tally.ts';
import type { HubOrders, HubReport as Ready } from './orders.ts';

/** What the same clients met with at the hub. */
export interface AtHub extends Pick<Totals, 'timed' | 'failures'> {
  seconds: number;
  /** Percent of one processor. */
  cpu: Record<string, number>;
}

export interface HubLoad {
  orders: readonly Orders[];
  organizations: readonly Organization[];
  /** What each process of clients asks for. */
  share: Rates;
  extent: Extent;
  warmUpSeconds: number;
  startsLater: number;
}

/** As long as those of Parley: what each hears is much the same text. */
const pattern = {
  sender_id: 1,
  sender_full_name: 'Person 1',
  sender_email: 'person1@load.example',
  sender_realm_str: 'load1',
  avatar_url: 'https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?d=identicon&version=1',
  client: 'website',
  type: 'stream',
  display_recipient: 'channel 1',
  recipient_id: 1,
  timestamp: 1_700_000_000,
  topic_links: [],
  submessages: [],
  reactions: [],
  is_me_message: false,
  content_type: 'text/html',
};

/** Lets the clients of a load ask the hub for the same, and says what they met with. */
export async function runAtHub({
  orders,
  organizations,
  share,
  extent,
  warmUpSeconds,
  startsLater,
}: HubLoad): Promise<AtHub> {
  const { child, port } = await startHub(hubOrders(orders, organizations));
  const stopping = new AbortController();
  try {
    const tally = createTally();
    const atHub = orders.map((order) => ({ ...order, port, abandoned: [], slowReaders: [] }));
    await using clients = await startClients(atHub, (second) => tally.add(second));
    await clients.tell({ kind: 'open' });
    const watched = [['hub', child.pid] as const, ...clientProcesses(clients.pids)];
    await clients.tell({ kind: 'begin', rates: share, atMs: preciseNowMs() + startsLater });
    const { atMs } = await warmUp(warmUpSeconds, startsLater, tally);
    const watching = watch(() => watched, stopping.signal);
    await untilOver(extent, clients);
    await clients.tell({ kind: 'stop asking' });
    const seconds = Math.round((preciseNowMs() - atMs) / 1000);
    stopping.abort();
    const { timed, failures } = tally.totals();
    return { timed, failures, seconds, cpu: cpuByRole(await watching) };
  } finally {
    stopping.abort();
    child.kill('SIGKILL');
  }
}

async function startHub(orders: HubOrders): Promise<{ child: ChildProcess; port: number }> {
  const program = fileURLToPath(new URL('hub-main.js', import.meta.url));
  const child = fork(program, { serialization: 'advanced' });
  child.send(orders);
  // Safe: it says nothing else.
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The hub ended with ${code}.`);
    }),
  ])) as [Ready];
  return { child, port: ready.port };
}

function hubOrders(orders: readonly Orders[], organizations: readonly Organization[]): HubOrders {
  const userOf = (organization: number, account: number) =>
    organizations[organization]?.accounts[account]?.id ?? 0;
  const channels = organizations.flatMap(({ channels: some }, organization) =>
    some.map(({ id, name, members }) => ({
      id,
      name,
      members: members.map((account) => userOf(organization, account)),
    })),
  );
  return {
    queues: orders.flatMap(({ pollers }) =>
      pollers.flatMap(({ queueId, organization, account }) =>
        queueId === null ? [] : [{ id: queueId, userId: userOf(organization, account) }],
      ),
    ),
    channels,
    idOf: Object.fromEntries(
      channels.flatMap(({ id, name }) => [
        [name, id],
        [String(id), id],
      ]),
    ),
    pattern,
  };
}
