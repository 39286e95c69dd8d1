import type { BenchServers } from './bench-servers.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import { pollOf, registerQueues } from './fan-out.ts';
import type { Bench } from './finding.ts';
import { median, two } from './numbers.ts';
import { senderTo } from './plan.ts';
import { RawConnection, getRequest, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

const opensAtOnce = 250;
const warmConnections = 100;
const warmRequests = 300;

const fanOuts = 20;
const polls = 8000;
const repeats = 3;

/** KiB of resident memory that each parked poll adds. */
interface PollMemory {
  fresh: number;
  /** After all polls were answered twenty times and came back. */
  used: number;
}

type Next = (body: Buffer | null) => string;

/**
 * What parked polls add to a program that has been busy: what the garbage collector takes for its young generation as
 * soon as there is traffic is not the polls'.
 */
async function measure(
  program: Program,
  clients: Next[],
  fire: (polls: number) => Promise<unknown>,
): Promise<PollMemory> {
  const connections: RawConnection[] = [];
  const open = async (some: Next[], use: (connection: RawConnection, next: Next) => unknown) => {
    for (let first = 0; first < some.length; first += opensAtOnce) {
      const opened = some.slice(first, first + opensAtOnce).map(async (next) => {
        const connection = await RawConnection.open(program.port);
        connections.push(connection);
        await use(connection, next);
      });
      await Promise.all(opened);
    }
  };
  const parked = clients.slice(warmConnections);
  await open(clients.slice(0, warmConnections), async (connection, next) => {
    const atOnce = next(null).replace(' HTTP/', '&dont_block=true HTTP/');
    for (let number = 0; number < warmRequests; number += 1) await connection.request(atOnce);
  });
  const before = await program.settledKib();
  let waiting = 0;
  let allHeard = () => undefined as void;
  const park = (connection: RawConnection, next: Next, body: Buffer | null): void =>
    connection.ask(next(body), (reply) => {
      waiting -= 1;
      park(connection, next, reply);
      if (waiting === 0) allHeard();
    });
  await open(parked, (connection, next) => park(connection, next, null));
  const fresh = await program.settledKib();
  for (let number = 0; number < fanOuts; number += 1) {
    waiting = parked.length;
    const heard = new Promise<void>((resolve) => {
      allHeard = resolve;
    });
    await fire(parked.length);
    await heard;
  }
  const used = await program.settledKib();
  for (const connection of connections) connection.close();
  return { fresh: (fresh - before) / parked.length, used: (used - before) / parked.length };
}

async function memoryOfNode(servers: BenchServers, { users, channel }: Crowd): Promise<PollMemory> {
  const { send } = await senderTo(servers, channel);
  // A channel's first message is two events; every one after it is one.
  await send('The first message.');
  const records = await registerQueues(servers, users);
  const clients = records.flatMap((record, index) => {
    const user = users[index];
    return user ? [pollOf(servers, user, record)] : [];
  });
  await using program = await startProgram('services/queue/dist/main.js', servers.env);
  return await measure(program, clients, () => send('A message of a usual length, to everyone here.'));
}

async function memoryOfFloor(servers: BenchServers, polls: number): Promise<PollMemory> {
  const authorization = servers.authorizationOf(servers.actor);
  const request = getRequest('/api/v1/events?queue_id=x&last_event_id=1', authorization);
  await using program = await startProgram('test/dist/bench/floor-server.js', {});
  const trigger = await RawConnection.open(program.port);
  const fire = (parked: number) =>
    trigger.request(postRequest(`/fire?${parked}`, authorization, 'x'.repeat(replyBytes)));
  const clients = Array.from({ length: polls }, () => () => request);
  const measured = await measure(program, clients, fire);
  trigger.close();
  return measured;
}

/** About as long as an answer with one message. */
const replyBytes = 700;

/** What a parked poll takes of memory. */
export const memory: Bench = async (servers, say) => {
  const crowd = await gatherCrowd(servers, polls);
  const [ours, floors] = [[], []] as [PollMemory[], PollMemory[]];
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    say(`memory of ${polls} parked polls, ${repeat} of ${repeats} …`);
    ours.push(await memoryOfNode(servers, crowd));
    floors.push(await memoryOfFloor(servers, polls));
  }
  const when = (state: keyof PollMemory) => {
    const [node, floor] = [ours, floors].map((all) => median(all.map((one) => one[state])));
    return { node: two(node ?? 0), floor: two(floor ?? 0), ratio: two((node ?? 0) / (floor ?? 1)) };
  };
  const [fresh, used] = [when('fresh'), when('used')];
  return {
    figures: {
      polls,
      parley_kib_per_poll: fresh.node,
      floor_kib_per_poll: fresh.floor,
      ratio: fresh.ratio,
      after_20_fan_outs: { parley_kib: used.node, floor_kib: used.floor, ratio: used.ratio },
    },
    claim: { holds: fresh.ratio < 1, result: `${fresh.ratio} × the memory of a bare server's poll` },
    rows: [
      ['memory per parked poll, KiB', fresh.node],
      ['  bare node:http, KiB', fresh.floor],
      ['  ratio (1 = the floor; less is better)', fresh.ratio],
      ['  after 20 fan-outs, KiB', used.node],
      ['  bare node:http, KiB', used.floor],
      ['  ratio', used.ratio],
    ],
    picture: [],
  };
};
