import type { BenchServers } from './bench-servers.ts';
import { spentSoFar } from './costs.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import type { Bench, Say } from './finding.ts';
import { two } from './numbers.ts';
import { RawConnection, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

const sizes = [2500, 5000, 10_000];
const connectionsMax = 64;
const minuteMs = 60_000;
/** Twice as many people may cost so many times as much. */
const growthMax = 2.2;

interface PresenceCost {
  connected: number;
  /** Seconds of processor time in a minute. */
  api: number;
  postgres: number;
  replyKib: number;
}

/** What it costs in a minute that all of a realm say once that they are there, and ask how the others are. */
export const presence: Bench = async (servers, say) => {
  const costs: PresenceCost[] = [];
  for (const size of sizes) costs.push(await costOf(servers, await gatherCrowd(servers, size), say));
  const totals = costs.map(({ api, postgres }) => api + postgres);
  const growth = two((totals[1] ?? 0) / (totals[0] ?? 1));
  const most = costs.at(-1);
  const cores = { api: two((most?.api ?? 0) / 60), postgres: two((most?.postgres ?? 0) / 60) };
  return {
    figures: { minutes: costs, growth_from_2500_to_5000: growth, cores_of_10000: cores },
    claim: {
      holds: growth <= growthMax && cores.api <= 1 && cores.postgres <= 0.2,
      result: `presence of 10 000 takes ${cores.postgres} cores of Postgres and ${cores.api} of api nodes; of 5 000 it takes ${growth} × that of 2 500`,
    },
    rows: [
      ['presence, people connected', 's of processor time in a minute: api  Postgres, KiB of a reply'],
      ...costs.map(({ connected, api, postgres, replyKib }): [string, string] => [
        `  ${connected}`,
        `${api}  ${postgres}  ${replyKib}`,
      ]),
      ['  5 000 against 2 500', growth],
    ],
    picture: [],
  };
};

async function costOf(servers: BenchServers, { users }: Crowd, say: Say): Promise<PresenceCost> {
  await using api = await startProgram('services/api/dist/main.js', servers.env);
  const minute = createMinute(servers, users, api);
  say(`${users.length} people come online …`);
  await minute();
  say('they say that they still are …');
  const before = await spentSoFar(servers, api);
  const bytes = await minute();
  const after = await spentSoFar(servers, api);
  return {
    connected: users.length,
    api: two(after.api - before.api),
    postgres: two(after.postgres - before.postgres),
    replyKib: Math.round(bytes / users.length / 1024),
  };
}

/** Returns what lets everybody ask once, evenly spread over a minute, and returns the bytes of the replies. */
function createMinute(servers: BenchServers, users: Crowd['users'], api: Program) {
  const since = users.map(() => -1);
  const authorizations = users.map((user) => servers.authorizationOf(user));
  return async () => {
    const count = Math.min(connectionsMax, users.length);
    const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(api.port)));
    const startMs = performance.now();
    let [next, bytes] = [0, 0];
    await Promise.all(
      connections.map(async (connection) => {
        while (next < users.length) {
          const place = next;
          next += 1;
          const waitMs = startMs + (place * minuteMs) / users.length - performance.now();
          if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
          const form = `status=active&new_user_input=true&last_update_id=${since[place]}`;
          const request = postRequest('/api/v1/users/me/presence', authorizations[place] ?? '', form);
          const body = await connection.request(
            request.replace('\r\n\r\n', '\r\nAccept-Encoding: gzip\r\n\r\n'),
          );
          // What is the caller's own is not compressed.
          const id = /"presence_last_update_id":(-?\d+)/.exec(body.toString('latin1'));
          if (!id) throw new Error(`Presence was refused: ${body.subarray(0, 200).toString('latin1')}`);
          since[place] = Number(id[1]);
          bytes += body.length;
        }
      }),
    );
    for (const connection of connections) connection.close();
    return bytes;
  };
}
