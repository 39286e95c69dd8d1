import { chmod, rm } from 'node:fs/promises';

import {
  cannotRun,
  conclude,
  makeTiedFolder,
  readArguments,
  refuseArguments,
  sayProgress as say,
} from '@parley/infra';

import type { Version } from '../versions/changelog.ts';
import { listVersions, whyUnavailable } from '../versions/history.ts';
import { changeOnline, offencesOf } from './online.ts';
import type { Met } from './traffic.ts';
import { anomalies, upgrade } from './upgrade.ts';

const usage = `npm run upgrade -- [--from COMMIT] [--history N] [--json]
npm run upgrade -- --online [--messages N] [--kills N] [--break] [--json]

Runs a cluster of an earlier version of this repository, migrates its database, and replaces its nodes by those of
this version one by one, then back and forth once more, while clients send and listen. So old and new nodes serve the
new schema side by side, for each role in turn. Compares what every client heard with the log, and exits with 1 if
anything was lost, repeated, reordered or refused, but for the few sends in a transaction at the moment in which columns
change places: they are answered with 503, and sent again.

The earlier versions are the last one that CHANGELOG.md lists and the one before it, one after the other, or the one
that --from names. With --history, their realm has so many messages before it is migrated. Exits with 2 where git does not have them, as in a shallow clone.

With --online, this version builds indexes on a million messages (or --messages) and changes a column of theirs, while
clients send and listen, the process that migrates is killed ten times (or --kills) and gone on with, and another
session holds locks. Exits with 1 if a send failed or took a second, if anything was lost, or if the index or the
column is not as it should be. With --break, it is done by plain statements at once, to see the claim fail.`;

const versionsTried = 2;

const { values } = readArguments(usage, {
  from: { type: 'string' },
  history: { type: 'string', default: '0' },
  online: { type: 'boolean', default: false },
  messages: { type: 'string', default: '1000000' },
  kills: { type: 'string', default: '10' },
  break: { type: 'boolean', default: false },
});

const countOf = (text: string, name: string) =>
  /^\d{1,8}$/.test(text) ? Number(text) : refuseArguments(usage, `--${name} takes a number, not ${text}.`);

async function withFolder<Result>(work: (dir: string) => Promise<Result>): Promise<Result> {
  const dir = await makeTiedFolder('parley-upgrade-');
  try {
    // Postgres does not run as root, and its own user has to get in.
    await chmod(dir, 0o755);
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function upgradeFrom({ name, commit }: Version): Promise<Met & { from: string; commit: string }> {
  say(`\nFrom ${name}`);
  const met = await withFolder((dir) =>
    upgrade({ commit, history: countOf(values.history, 'history') }, dir, say),
  );
  for (const line of met.missing) say(line);
  say(`${met.heard} events heard, ${anomalies(met).join(', ') || 'as the log says'}`);
  return { from: name, commit, ...met };
}

async function upgradeVersions(): Promise<void> {
  const versions =
    values.from === undefined
      ? (await listVersions()).slice(0, versionsTried)
      : [{ name: values.from, commit: values.from }];
  const missing = await whyUnavailable(versions.map(({ commit }) => commit));
  if (missing === null) {
    const upgrades: Awaited<ReturnType<typeof upgradeFrom>>[] = [];
    for (const version of versions) upgrades.push(await upgradeFrom(version));
    const wrong = upgrades.flatMap((met) => anomalies(met).map((line) => `${line} from ${met.from}`));
    const sum = (count: 'heard' | 'unavailableWhileMigrating') =>
      upgrades.reduce((total, met) => total + met[count], 0);
    conclude(values.json, {
      holds: upgrades.length > 0 && wrong.length === 0,
      result: `Upgraded from ${versions.map(({ name }) => name).join(' and ')}: ${sum('heard')} events heard, ${wrong.join(', ') || 'nothing lost, repeated, reordered or refused'}; ${sum('unavailableWhileMigrating')} sends answered with 503 while columns changed places, and sent again.`,
      report: { upgrades },
    });
  } else cannotRun(values.json, missing);
}

async function upgradeOnline(): Promise<void> {
  const messages = countOf(values.messages, 'messages');
  const kills = values.break ? 0 : countOf(values.kills, 'kills');
  const online = await withFolder((dir) =>
    changeOnline(dir, { messages, kills, isAtOnce: values.break }, say),
  );
  for (const line of online.missing) say(line);
  const wrong = offencesOf(online);
  const { sent, slowestMs, slowestBeforeMs, seconds, retries } = online;
  conclude(values.json, {
    holds: wrong.length === 0,
    result:
      `${messages} messages got indexes and another column in ${seconds.toFixed(0)} s, with ${online.kills} kills and ${retries} tries ` +
      `that found locks taken, while ${sent} messages were sent: ${wrong.join(', ') || 'no send failed, nothing was lost'}; ` +
      `the slowest send took ${slowestMs} ms, and ${slowestBeforeMs} ms before.`,
    report: { online },
  });
}

await (values.online ? upgradeOnline() : upgradeVersions());
process.exit();
