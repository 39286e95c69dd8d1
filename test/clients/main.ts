import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  cannotRun,
  conclude,
  makeTiedFolder,
  readArguments,
  refuseArguments,
  sayProgress as say,
} from '@parley/infra';

import { type DemoCluster, startDemoCluster } from '../support/demo-cluster.ts';
import { drive } from './drive.ts';
import { goClients } from './go-clients.ts';
import { type Outcome, judge } from './judge.ts';
import { nodeClients } from './node-clients.ts';
import { pythonClients } from './python-clients.ts';
import { type Accounts, type Client, channelName, heardWords } from './seen.ts';
import { canMakeCertificates, startTlsFront } from './tls-front.ts';
import { commandOf, prepare, versionOf } from './toolchains.ts';
import { accountOf, look } from './witness.ts';

const clients: readonly Client[] = [...pythonClients, ...goClients, ...nodeClients];

const usage = `npm run clients -- [--json] [--only NAME[,NAME]] [--break]

Runs programs and libraries of others, unmodified, against a demo cluster with two nodes of each kind, and looks at what
they did with another account. Exits with 1 if something does not hold that should, and with 2 where there is no Python;
clients in other languages are skipped where theirs is missing, and those that speak HTTPS only where there is no
openssl.

--only runs some: ${clients.map(({ name }) => name).join(', ')}.
--break loses the messages of each topic before they are looked at: then every client that writes to one fails.`;

/** Has a client do what it does, with an account of its own in a channel that the witness reads. */
async function tryClient(
  client: Client,
  demos: DemoCluster,
  { folder, isBroken }: { folder: string; isBroken: boolean },
): Promise<Outcome> {
  const site = demos.cluster.baseUrl;
  const accounts: Accounts = {
    owner: demos.demo('Olivia Owner'),
    alice: demos.demo('Alice Member'),
    carol: demos.demo('Carol Member'),
    bot: demos.demo('Echo'),
  };
  const owner = accountOf(site, accounts.owner);
  const witness = accountOf(site, accounts.alice);
  // Names of people have no '@'.
  const topic = client.name.replace('@', '');
  const made = await owner.call('POST', '/bots', {
    full_name: topic,
    short_name: topic.replaceAll(/\W+/g, '-').toLowerCase(),
    bot_type: 1,
  });
  const { user } = await owner.call('GET', `/users/${made.user_id}`);
  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channelName }],
    principals: [accounts.owner.user_id, accounts.alice.user_id, made.user_id],
  });
  const { stream_id: channelId } = await owner.call('GET', '/get_stream_id', { stream: channelName });
  const tell = () =>
    witness.call('POST', '/messages', { type: 'channel', to: channelName, topic, content: heardWords });
  await tell();
  const home = join(folder, topic.replaceAll(/\W+/g, '-'));
  await mkdir(home);
  const host = user.email.split('@')[1];
  await using front = client.needsTls ? await startTlsFront(site, home, host) : null;
  const config = {
    site,
    host,
    email: user.email,
    api_key: made.api_key,
    folder: home,
    channel: channelName,
    channel_id: channelId,
    topic,
    witness: accounts.alice,
    accounts,
  };
  const driven = await drive(await commandOf(client), config, {
    env: front?.env ?? {},
    onListening: async () => void (await tell()),
  });
  if (isBroken) await owner.call('POST', `/streams/${channelId}/delete_topic`, { topic_name: topic });
  const seen = await look(witness, { channel: channelName, topic, userId: made.user_id });
  return { ...judge(client, driven, { ...seen, said: driven.said }), version: await versionOf(client) };
}

function describe({ name, version, language, does, passed, of, ownFaults }: Outcome): string {
  const row = `${`${passed}/${of}`.padStart(7)}  ${`${name} ${version}`.padEnd(50)} ${language.padEnd(6)} ${does}`;
  return [row, ...ownFaults.map((fault) => `         its own fault: ${fault}`)].join('\n');
}

const { values } = readArguments(usage, {
  only: { type: 'string' },
  break: { type: 'boolean', default: false },
});
const names = values.only?.split(',');
const chosen = clients.filter(({ name }) => names === undefined || names.includes(name));
if (names !== undefined && chosen.length < names.length) refuseArguments(usage, 'There is no such client.');
const ready = new Map<string, boolean>();
for (const language of new Set(chosen.map((client) => client.language))) {
  say(`Installing the clients in ${language} …`);
  ready.set(language, await prepare(language));
}
if (ready.get('python') === false) {
  cannotRun(values.json, 'There is no Python 3 with venv here, so no client was tried.');
  process.exit();
}
const hasTls = chosen.some(({ needsTls }) => needsTls) && (await canMakeCertificates());
const skipped = chosen
  .filter(({ language, needsTls }) => ready.get(language) === false || (needsTls && !hasTls))
  .map(({ name }) => name);
const folder = await makeTiedFolder('parley-clients-');
const outcomes: Outcome[] = [];
try {
  await using demos = await startDemoCluster({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' } });
  for (const client of chosen) {
    if (skipped.includes(client.name)) continue;
    const outcome = await tryClient(client, demos, { folder, isBroken: values.break });
    outcomes.push(outcome);
    say(`${outcome.name}: ${outcome.passed} of ${outcome.of}`);
    for (const failure of outcome.failed) say(`FAILED ${outcome.name}: ${failure}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const count = (of: (outcome: Outcome) => number): number => outcomes.reduce((sum, one) => sum + of(one), 0);
const failures = count(({ failed }) => failed.length);
const notTried =
  skipped.length === 0 ? '' : ` Skipped, as their language or openssl is missing: ${skipped.join(', ')}.`;
conclude(values.json, {
  holds: failures === 0,
  result:
    `${outcomes.length} clients of others: ${count(({ passed }) => passed)} of ${count(({ of }) => of)} hold, ` +
    `${count(({ ownFaults }) => ownFaults.length)} fail by their own fault, ${failures} otherwise.${notTried}`,
  report: { clients: outcomes, skipped },
  text: outcomes.map(describe).join('\n'),
});
