import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  cacheFolder,
  cannotRun,
  conclude,
  makeTiedFolder,
  readArguments,
  sayProgress as say,
} from '@parley/infra';

import { git, listVersions, root, run, whyUnavailable } from '../versions/history.ts';
import { compile, linkPackages } from '../versions/packages.ts';

const usage = `npm run commits -- [--since COMMIT] [--all] [--json]

Compiles every version that CHANGELOG.md lists and every commit since the last of them, each with the packages that it
was written for, and exits with 1 if one does not compile. So a version can be upgraded from, and a search for the
commit that broke something does not stop at one that breaks everything. Exits with 2 where git does not have them, as
in a shallow clone. Packages are kept in the cache, some 700 MB for each lock file.

  --since COMMIT  every commit since this one, and no versions
  --all           compiles again what compiled in an earlier run, too`;

const { values } = readArguments(usage, {
  since: { type: 'string' },
  all: { type: 'boolean', default: false },
});

/** A commit compiles for ever once it has. */
const remembered = join(cacheFolder(), 'commits-that-compile.json');

async function readRemembered(): Promise<Set<string>> {
  if (values.all) return new Set();
  // Safe: this command wrote it.
  return new Set(JSON.parse(await readFile(remembered, 'utf8').catch(() => '[]')) as string[]);
}

/** Compiles these commits one after the other in one folder, so that each costs what it changes. Returns those that fail. */
async function compileAll(commits: readonly string[], folder: string): Promise<string[]> {
  const known = await readRemembered();
  const waiting = commits.filter((commit) => !known.has(commit));
  say(`${commits.length} commits, of which ${waiting.length} were never compiled here.`);
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder]);
  const broken: string[] = [];
  for (const [index, commit] of waiting.entries()) {
    await run('git', ['checkout', '--quiet', '--force', '--detach', commit], { cwd: folder });
    await linkPackages(folder, say);
    const mistakes = await compile(folder);
    const title = await git('log', '-1', '--format=%h %s', commit);
    say(`${index + 1} of ${waiting.length}  ${title}`);
    if (mistakes === null) {
      known.add(commit);
      await mkdir(cacheFolder(), { recursive: true });
      await writeFile(remembered, JSON.stringify([...known]));
    } else {
      broken.push(title);
      say(`  does not compile:\n${mistakes.split('\n').slice(0, 10).join('\n')}`);
    }
  }
  return broken;
}

const versions = values.since === undefined ? (await listVersions()).map(({ commit }) => commit) : [];
const since = values.since ?? versions[0] ?? 'HEAD';
const missing = await whyUnavailable([since, ...versions]);
if (missing === null) {
  const list = await git('rev-list', '--reverse', `${since}..HEAD`);
  const commits = [...versions.toReversed(), ...list.split('\n').filter((line) => line !== '')];
  const dir = await makeTiedFolder('parley-commits-');
  try {
    const broken = await compileAll(commits, join(dir, 'checkout'));
    conclude(values.json, {
      holds: broken.length === 0,
      result: `${commits.length - broken.length} of ${commits.length} commits compile: every version and every commit since the last.`,
      report: { commits: commits.length, broken },
      text: broken.map((title) => `does not compile: ${title}`).join('\n') || undefined,
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
} else cannotRun(values.json, missing);
process.exit();
