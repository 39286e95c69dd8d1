import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { pollOf, registerQueues } from './fan-out.ts';
import { RawConnection, getRequest } from './poller.ts';
import { startProgram } from './processes.ts';

const opensAtOnce = 250;
const warmConnections = 100;
const warmRequests = 300;

/**
 * KiB of resident memory that each parked poll adds to a program that has been busy: what the garbage collector
 * takes for its young generation as soon as there is traffic is not the polls'.
 */
async function measure(path: string, env: Record<string, string>, requests: string[]): Promise<number> {
  await using program = await startProgram(path, env);
  const connections: RawConnection[] = [];
  const open = async (some: string[], use: (connection: RawConnection, request: string) => unknown) => {
    for (let first = 0; first < some.length; first += opensAtOnce) {
      const opened = some.slice(first, first + opensAtOnce).map(async (request) => {
        const connection = await RawConnection.open(program.port);
        connections.push(connection);
        await use(connection, request);
      });
      await Promise.all(opened);
    }
  };
  const parked = requests.slice(warmConnections);
  await open(requests.slice(0, warmConnections), async (connection, request) => {
    const atOnce = request.replace(' HTTP/', '&dont_block=true HTTP/');
    for (let number = 0; number < warmRequests; number += 1) await connection.request(atOnce);
  });
  const before = await program.settledKib();
  await open(parked, (connection, request) => connection.ask(request, () => undefined));
  const after = await program.settledKib();
  for (const connection of connections) connection.close();
  return (after - before) / parked.length;
}

export async function memoryOfNode(servers: BenchServers, { users }: Crowd): Promise<number> {
  const records = await registerQueues(servers, users);
  const requests = records.flatMap((record, index) => {
    const user = users[index];
    return user ? [pollOf(servers, user, record)(null)] : [];
  });
  return await measure('services/queue/dist/main.js', servers.env, requests);
}

export async function memoryOfFloor(servers: BenchServers, polls: number): Promise<number> {
  const request = getRequest(
    '/api/v1/events?queue_id=x&last_event_id=1',
    servers.authorizationOf(servers.actor),
  );
  return await measure(
    'test/dist/bench/floor-server.js',
    {},
    Array.from({ length: polls }, () => request),
  );
}
