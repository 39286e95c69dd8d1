import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '@parley/kit';
import { execa } from 'execa';

import { cacheFolder, unpackDebian } from '../../dev/machine/debian-package.ts';
import { provideGoProgram } from '../../dev/machine/go-program.ts';
import type { Say } from '../../dev/machine/say.ts';
import { helm } from './helm.ts';

const kubernetes = { module: 'k8s.io/kubernetes', version: 'v1.34.2', staging: 'v0.34.2' };
const kwok = { module: 'sigs.k8s.io/kwok', version: 'v0.7.0' };
/** Modules with the definitions of what is no part of Kubernetes, and where in them these are. */
const operators = [
  { module: 'sigs.k8s.io/gateway-api', version: 'v1.4.0', paths: ['config/crd/standard'] },
  {
    module: 'github.com/kedacore/keda/v2',
    version: 'v2.18.0',
    paths: ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  },
  {
    module: 'github.com/cloudnative-pg/cloudnative-pg',
    version: 'v1.29.1',
    paths: ['clusters', 'scheduledbackups'].map((kind) => `config/crd/bases/postgresql.cnpg.io_${kind}.yaml`),
  },
  {
    module: 'github.com/cloudnative-pg/plugin-barman-cloud',
    version: 'v0.15.0',
    paths: ['config/crd/bases/barmancloud.cnpg.io_objectstores.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    paths: ['podmonitors', 'prometheusrules'].map(
      (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
    ),
  },
];
/** A machine that builds is one that others work on, too. */
const goEnvironment = { CGO_ENABLED: '0', GOFLAGS: '-p=1 -mod=mod' };
const programs = ['kubectl', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** A control plane, as programs and definitions on this machine. */
export interface Tools {
  /** Of Kubernetes. */
  version: string;
  programs: Record<(typeof programs)[number] | 'etcd' | 'kwok' | 'helm', string>;
  /** Files and folders of CustomResourceDefinitions: the Gateway API's, and those of operators. */
  definitions: string[];
}

/** Builds what this machine does not have yet. The first time takes minutes, and some hundred MiB of modules. */
export async function provideTools(go: string, say: Say): Promise<Tools> {
  const folder = join(cacheFolder(), 'k8s', kubernetes.version);
  await mkdir(folder, { recursive: true });
  const ofKubernetes = join(folder, 'kubernetes');
  const built: [string, string][] = [];
  for (const name of programs) {
    const source = `${kubernetes.module}/cmd/${name}`;
    built.push([
      name,
      await build(go, join(folder, name), source, () => kubernetesModule(go, ofKubernetes), say),
    ]);
  }
  const ownModule = () => moduleFor(join(folder, 'kwok-module'), kwok.module, kwok.version);
  const kwokPath = join(folder, `kwok-${kwok.version}`);
  built.push(['kwok', await build(go, kwokPath, `${kwok.module}/cmd/kwok`, ownModule, say)]);

  const etcd = join(await unpackDebian('etcd', ['etcd-server'], say), 'usr/bin/etcd');
  const helmPath = await provideGoProgram(helm, say);
  if (helmPath === undefined) throw new Error('Go is gone.');
  built.push(['helm', helmPath], ['etcd', etcd]);
  return {
    version: kubernetes.version,
    // Safe: the names are those of the loop, and the other three.
    programs: Object.fromEntries(built) as Tools['programs'],
    definitions: await provideDefinitions(go),
  };
}

async function provideDefinitions(go: string): Promise<string[]> {
  const found = operators.map(async ({ paths, ...module }) => {
    const folder = await moduleFolder(go, module);
    return paths.map((path) => join(folder, path));
  });
  return (await Promise.all(found)).flat();
}

async function build(
  go: string,
  path: string,
  source: string,
  prepare: () => Promise<string>,
  say: Say,
): Promise<string> {
  if (existsSync(path)) return path;
  const cwd = await prepare();
  const startedMs = systemClock.nowMs();
  say(`Building ${source} …`);
  const flags = ['-trimpath', '-ldflags', '-s -w', '-o', `${path}.new`];
  await execa('nice', ['-n', '10', go, 'build', ...flags, source], { cwd, env: goEnvironment });
  await rename(`${path}.new`, path);
  say(`  built in ${Math.round((systemClock.nowMs() - startedMs) / 1000)} s: ${path}`);
  return path;
}

interface GoModule {
  module: string;
  version: string;
}

async function moduleFolder(go: string, { module, version }: GoModule): Promise<string> {
  const { stdout } = await execa(go, ['mod', 'download', '-json', `${module}@${version}`], {
    env: goEnvironment,
  });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** A module of our own that has another as its only dependency, so that its programs can be built. */
async function moduleFor(folder: string, module: string, version: string, rest = ''): Promise<string> {
  await mkdir(folder, { recursive: true });
  const text = `module parley.invalid/k8s\n\ngo 1.24.0\n\nrequire ${module} ${version}\n${rest}`;
  await writeFile(join(folder, 'go.mod'), text);
  return folder;
}

/** Kubernetes takes its libraries from folders beside it, which are published under versions of their own. */
async function kubernetesModule(go: string, folder: string): Promise<string> {
  if (existsSync(join(folder, 'go.mod'))) return folder;
  const source = await readFile(join(await moduleFolder(go, kubernetes), 'go.mod'), 'utf8');
  const beside = [...source.matchAll(/^\t(\S+) => \.\/staging\//gm)].map(([, name]) => name);
  const replaced = beside.map((name) => `replace ${name} => ${name} ${kubernetes.staging}\n`).join('');
  return await moduleFor(folder, kubernetes.module, kubernetes.version, replaced);
}
