import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Client, Language } from './seen.ts';

const run = promisify(execFile);
/** The drivers are not compiled here, so they are where the sources are. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'test/clients');
const built = join(root, '.parley/clients');

/** What turns a driver into a program that can be started. */
interface Toolchain {
  /** Fails where it is missing. */
  probe: readonly [string, ...string[]];
  /** The file that pins the packages. */
  manifest: string;
  /** Installs the packages of all drivers. */
  prepare: () => Promise<void>;
  /** What starts a driver. */
  commandOf: (driver: string) => Promise<readonly [string, ...string[]]>;
}

const python = join(built, 'python');
const node = join(built, 'node');

const toolchains: Readonly<Record<Language, Toolchain>> = {
  python: {
    probe: ['python3', '-m', 'venv', '--help'],
    manifest: 'python/requirements.txt',
    async prepare() {
      await mkdir(built, { recursive: true });
      await run('python3', ['-m', 'venv', python]);
      const requirements = join(sources, 'python/requirements.txt');
      const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
      await run(join(python, 'bin/python'), install);
    },
    async commandOf(driver) {
      const file = `drive_${driver.toLowerCase().replaceAll('-', '_')}.py`;
      return Promise.resolve([join(python, 'bin/python'), join(sources, 'python', file)]);
    },
  },
  go: {
    probe: ['go', 'version'],
    manifest: 'go/go.mod',
    async prepare() {
      await run('go', ['mod', 'download'], { cwd: join(sources, 'go') });
    },
    async commandOf(driver) {
      const program = join(built, 'go', driver);
      await run('go', ['build', '-o', program, `./${driver}`], { cwd: join(sources, 'go') });
      return [program];
    },
  },
  node: {
    probe: ['npm', '--version'],
    manifest: 'node/package.json',
    // A driver finds its packages beside itself.
    async prepare() {
      await cp(join(sources, 'node'), node, { recursive: true });
      await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: node });
    },
    async commandOf(driver) {
      return Promise.resolve([process.execPath, join(node, `${driver.replace('@', '')}.js`)]);
    },
  },
};

/** Prepares a language; false where its programs are missing. */
export async function prepare(language: Language): Promise<boolean> {
  const { probe, prepare: install } = toolchains[language];
  const [program, ...args] = probe;
  const isThere = await run(program, args).then(
    () => true,
    () => false,
  );
  if (isThere) await install();
  return isThere;
}

/** What the driver of a client is called: several modules may end with the same word. */
const driverOf = ({ name }: Client): string => name.split('/').slice(-2).join('-');

export const commandOf = (client: Client): Promise<readonly [string, ...string[]]> =>
  toolchains[client.language].commandOf(driverOf(client));

/** The version that is installed. */
export async function versionOf({ name, language }: Client): Promise<string> {
  const pinned = await readFile(join(sources, toolchains[language].manifest), 'utf8');
  const line = pinned.split('\n').find((one) => new RegExp(`(^|\\s)"?${name}"?[=: ]`).test(one));
  return /[\d.]+(?="?,?$)/.exec(line ?? '')?.[0] ?? '';
}
