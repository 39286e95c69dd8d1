import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { migrate } from '@parley/db';
import {
  cannotRun,
  conclude,
  makeTiedFolder,
  provideGoProgram,
  readArguments,
  sayProgress as say,
  startCluster,
} from '@parley/infra';

import { uploadFiles } from '../ask.ts';
import { type Organization, foundOrganizations } from '../organizations.ts';
import { wideLimits } from '../run.ts';
import { scenarios } from '../scenarios.ts';
import { k6 } from './k6.ts';

const usage = `npm run load:k6 -- [--pollers 300] [--seconds 30] [--pace 1] [--api 2] [--queue 3] [--worker 1]
                   [--json]

Builds k6 from its Go module unless it is there, and runs test/load/k6/mix.js on a cluster of real processes. Exits with
1 if a request failed or a client heard events out of order, and with 2 where there is no Go.`;

const { values } = readArguments(usage, {
  pollers: { type: 'string', default: '300' },
  seconds: { type: 'string', default: '30' },
  pace: { type: 'string', default: '1' },
  api: { type: 'string', default: '2' },
  queue: { type: 'string', default: '3' },
  worker: { type: 'string', default: '1' },
});

const program = await provideGoProgram(k6, say);
if (program) {
  const code = await runK6(program);
  conclude(values.json, {
    holds: code === 0,
    result: `k6 asked for ${values.seconds} s in the name of ${values.pollers} clients: ${code === 0 ? 'no request failed, and nothing came out of order' : `it ended with ${code}`}.`,
  });
} else {
  const reason = 'There is no Go here to build k6 with. npm run load asks for the same without it.';
  cannotRun(values.json, reason);
}
process.exit();

async function runK6(path: string): Promise<number> {
  const mix = scenarios.find(({ name }) => name === 'mix');
  if (!mix) throw new Error('There is no mix.');
  const pollers = Number(values.pollers);
  const population = mix.populate(pollers);
  const dir = await makeTiedFolder('parley-k6-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  let organizations: Organization[] = [];
  try {
    await using cluster = await startCluster({
      dir,
      api: Number(values.api),
      queue: Number(values.queue),
      worker: Number(values.worker),
      durable: true,
      env: wideLimits,
      say,
      prepare: async (servers) => {
        await migrate(servers.databaseUrl);
        organizations = await foundOrganizations(servers, population);
      },
    });
    const files = await uploadFiles(cluster.baseUrl, organizations);
    const accountOf = (organization: number, account: number) => {
      const { host, accounts, channels } = organizations[organization] ?? {
        host: '',
        accounts: [],
        channels: [],
      };
      const channel = channels.find(({ members }) => members.includes(account))?.id;
      return { host, authorization: accounts[account]?.authorization, channel };
    };
    const people = Array.from({ length: pollers }, (_, index) =>
      accountOf(index % organizations.length, Math.floor(index / organizations.length) % population.active),
    );
    const file = join(dir, 'people.json');
    const rates = Object.fromEntries(
      Object.entries(mix.rates(pollers)).map(([kind, perSecond]) => [kind, perSecond * Number(values.pace)]),
    );
    const owned = files.map(({ organization, account, path }) => ({
      ...accountOf(organization, account),
      path,
    }));
    await writeFile(file, JSON.stringify({ people, files: owned, rates }));
    const script = fileURLToPath(new URL('../../../load/k6/mix.js', import.meta.url));
    const environment = { BASE_URL: cluster.baseUrl, PEOPLE: file, SECONDS: values.seconds };
    const settings = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const child = spawn(path, ['run', '--quiet', '--no-usage-report', ...settings, script], {
      // With --json, standard output is for one object.
      stdio: ['ignore', values.json ? 2 : 'inherit', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
