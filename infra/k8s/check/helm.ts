import { join } from 'node:path';

import { execa } from 'execa';

import type { GoProgram } from '../../dev/machine/go-program.ts';
import { repoRoot } from '../../dev/machine/paths.ts';
import { type KubeObject, readObjects } from './manifests.ts';

export const helm: GoProgram = { module: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' };
export const chartFolder = join(repoRoot(), 'infra/k8s/chart');
const release = ['parley', chartFolder, '--namespace', 'parley'];

type Size = 'small' | 'production' | 'stores' | 'replicas';

/** Values of a release: files of the chart's, and what is laid over them. */
export interface Values {
  sizes?: readonly Size[];
  over?: object;
}

const valuesArguments = ({ sizes = [] }: Values): string[] => [
  ...sizes.flatMap((size) => ['--values', join(chartFolder, `values-${size}.yaml`)]),
  '--values',
  '-',
];

/** Returns the objects that the chart makes of values. @throws Error that says what is wrong with them */
export async function renderChart(program: string, values: Values = {}): Promise<KubeObject[]> {
  const args = ['template', ...release, ...valuesArguments(values)];
  const { stdout } = await execa(program, args, { input: JSON.stringify(values.over ?? {}) });
  return readObjects(stdout, chartFolder);
}

/** Does something to the release of a cluster: install, upgrade. */
export async function changeRelease(
  program: string,
  kubeconfig: string,
  verb: 'install' | 'upgrade',
  values: Values,
): Promise<void> {
  const args = [verb, ...release, '--kubeconfig', kubeconfig, ...valuesArguments(values)];
  await execa(program, args, { input: JSON.stringify(values.over ?? {}) });
}

/** Values that the schema, or the chart itself, refuses. */
export const wrongValues: readonly (readonly [string, object])[] = [
  ['a name that there is not', { setings: { BASE_HOST: 'chat.example.org' } }],
  ['a name that there is not, further down', { api: { autoscaling: { minReplica: 3 } } }],
  ['a secret among the settings', { settings: { PARLEY_SECRET: 'x'.repeat(40) } }],
  ['a password among the settings', { settings: { SMTP_PASSWORD: 'x' } }],
  ['a setting in small letters', { settings: { base_host: 'chat.example.org' } }],
  ['a setting that is a list', { settings: { TRUSTED_PROXIES: ['10.0.0.0/8'] } }],
  ['an image without a tag', { image: { tag: '' } }],
  ['a tag in the name of the image', { image: { repository: 'parley:1' } }],
  ['no node at all', { queue: { autoscaling: { minReplicas: 0 } } }],
  ['fewer nodes at most than at least', { queue: { autoscaling: { minReplicas: 11 } } }],
  ['a number as a word', { worker: { autoscaling: { maxReplicas: 'forty' } } }],
  ['more polls than a node can hold', { queue: { autoscaling: { polls: 50_000 } } }],
  ['nothing to scale by', { worker: { autoscaling: { cpuPercent: 0, jobs: 0 } } }],
  ['memory in a unit that there is not', { api: { resources: { limits: { memory: '1 GB' } } } }],
  ['a rule for zones that there is not', { zones: 'Anywhere' }],
  ['an address where a network belongs', { networkPolicies: { stores: ['10.20.0.1'] } }],
  ['a URL where a host belongs', { gateway: { hostnames: ['https://chat.example.org'] } }],
  ['a Gateway without a name', { gateway: { existing: { namespace: 'gateway' } } }],
  ['a Secret without a key', { settingsFrom: { DATABASE_URL: { name: 'postgres-app' } } }],
  ['an interval without a unit', { monitoring: { interval: '30' } }],
];

/** Returns which of the wrong values the chart takes all the same. */
export async function findTakenMistakes(program: string): Promise<string[]> {
  const taken: string[] = [];
  for (const [what, over] of wrongValues) {
    const isTaken = await renderChart(program, { over }).then(
      () => true,
      () => false,
    );
    if (isTaken) taken.push(what);
  }
  return taken;
}
