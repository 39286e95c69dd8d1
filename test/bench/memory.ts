import type { Crowd } from './crowd.ts';
import { pollOf, registerQueues } from './fan-out.ts';
import type { Ground } from './ground.ts';
import { RawConnection, getRequest } from './poller.ts';
import { startProgram } from './processes.ts';

const opensAtOnce = 250;

/** KiB of resident memory that each parked poll adds, after a few have warmed the program up. */
async function measure(path: string, env: Record<string, string>, requests: string[]): Promise<number> {
  await using program = await startProgram(path, env);
  const connections: RawConnection[] = [];
  const park = async (some: string[]) => {
    for (let first = 0; first < some.length; first += opensAtOnce) {
      const opened = await Promise.all(
        some.slice(first, first + opensAtOnce).map(async (request) => {
          const connection = await RawConnection.open(program.port);
          connection.ask(request, () => undefined);
          return connection;
        }),
      );
      connections.push(...opened);
    }
  };
  const warmUps = Math.ceil(requests.length / 50);
  await park(requests.slice(0, warmUps));
  const before = await program.settledKib();
  await park(requests.slice(warmUps));
  const after = await program.settledKib();
  for (const connection of connections) connection.close();
  return (after - before) / (requests.length - warmUps);
}

export async function memoryOfNode(ground: Ground, { users }: Crowd): Promise<number> {
  const records = await registerQueues(ground, users);
  const requests = records.flatMap((record, index) => {
    const user = users[index];
    return user ? [pollOf(ground, user, record)(null)] : [];
  });
  return await measure('services/queue/dist/main.js', ground.env, requests);
}

export async function memoryOfFloor(ground: Ground, polls: number): Promise<number> {
  const request = getRequest(
    '/api/v1/events?queue_id=x&last_event_id=1',
    ground.authorizationOf(ground.actor),
  );
  return await measure(
    'test/dist/bench/floor-server.js',
    {},
    Array.from({ length: polls }, () => request),
  );
}
