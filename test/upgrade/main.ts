import { chmod, rm } from 'node:fs/promises';

import { cannotRun, conclude, makeTiedFolder, readArguments, sayProgress as say } from '@parley/infra';

import type { Version } from '../versions/changelog.ts';
import { listVersions, whyUnavailable } from '../versions/history.ts';
import type { Met } from './traffic.ts';
import { anomalies, upgrade } from './upgrade.ts';

const usage = `npm run upgrade -- [--from COMMIT] [--json]

Runs a cluster of an earlier version of this repository, migrates its database, and replaces its nodes by those of
this version one by one, then back and forth once more, while clients send and listen. So old and new nodes serve the
new schema side by side, for each role in turn. Compares what every client heard with the log, and exits with 1 if
anything was lost, repeated, reordered or refused.

The earlier versions are the last one that CHANGELOG.md lists and the one before it, one after the other, or the one
that --from names. Exits with 2 where git does not have them, as in a shallow clone.`;

const versionsTried = 2;

const { values } = readArguments(usage, { from: { type: 'string' } });

async function upgradeFrom({ name, commit }: Version): Promise<Met & { from: string; commit: string }> {
  say(`\nFrom ${name}`);
  const dir = await makeTiedFolder('parley-upgrade-');
  try {
    // Postgres does not run as root, and its own user has to get in.
    await chmod(dir, 0o755);
    const met = await upgrade(commit, dir, say);
    for (const line of met.missing) say(line);
    say(`${met.heard} events heard, ${anomalies(met).join(', ') || 'as the log says'}`);
    return { from: name, commit, ...met };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const versions =
  values.from === undefined
    ? (await listVersions()).slice(0, versionsTried)
    : [{ name: values.from, commit: values.from }];
const missing = await whyUnavailable(versions.map(({ commit }) => commit));
if (missing === null) {
  const upgrades = [];
  for (const version of versions) upgrades.push(await upgradeFrom(version));
  const wrong = upgrades.flatMap((met) => anomalies(met).map((line) => `${line} from ${met.from}`));
  const heard = upgrades.reduce((sum, met) => sum + met.heard, 0);
  conclude(values.json, {
    holds: upgrades.length > 0 && wrong.length === 0,
    result: `Upgraded from ${versions.map(({ name }) => name).join(' and ')}: ${heard} events heard, ${wrong.join(', ') || 'nothing lost, repeated, reordered or refused'}.`,
    report: { upgrades },
  });
} else cannotRun(values.json, missing);
process.exit();
