import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '@parley/kit';
import { execa } from 'execa';

import { cacheFolder, unpackDebian } from '../../dev/machine/debian-package.ts';
import type { Say } from '../../dev/machine/say.ts';

const kubernetes = { module: 'k8s.io/kubernetes', version: 'v1.34.2', staging: 'v0.34.2' };
const kwok = { module: 'sigs.k8s.io/kwok', version: 'v0.7.0' };
const gatewayApi = { module: 'sigs.k8s.io/gateway-api', version: 'v1.4.0' };
const keda = { module: 'github.com/kedacore/keda/v2', version: 'v2.18.0' };
/** A machine that builds is one that others work on, too. */
const goEnvironment = { CGO_ENABLED: '0', GOFLAGS: '-p=1 -mod=mod' };
const programs = ['kubectl', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** A control plane, as programs and definitions on this machine. */
export interface Tools {
  /** Of Kubernetes. */
  version: string;
  programs: Record<(typeof programs)[number] | 'etcd' | 'kwok', string>;
  /** Files and folders of CustomResourceDefinitions: the Gateway API's, and KEDA's. */
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
  const [ofGateways, ofKeda] = await Promise.all([moduleFolder(go, gatewayApi), moduleFolder(go, keda)]);
  return {
    version: kubernetes.version,
    // Safe: the names are those of the loop, and the other two.
    programs: Object.fromEntries([...built, ['etcd', etcd]]) as Tools['programs'],
    definitions: [
      join(ofGateways, 'config/crd/standard'),
      join(ofKeda, 'config/crd/bases/keda.sh_scaledobjects.yaml'),
    ],
  };
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
