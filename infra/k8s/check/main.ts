import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '@parley/kit';

import { cannotRun, conclude } from '../../dev/machine/conclude.ts';
import { findGo } from '../../dev/machine/go-program.ts';
import { repoRoot } from '../../dev/machine/paths.ts';
import { readArguments, refuseArguments } from '../../dev/machine/read-arguments.ts';
import { sayProgress as say } from '../../dev/machine/say.ts';
import { makeTiedFolder } from '../../dev/machine/tied-folder.ts';
import { checkChart } from './chart-steps.ts';
import { startControlPlane } from './control-plane.ts';
import { namespace } from './deployment.ts';
import { readManifests } from './manifests.ts';
import { startMetricsServer } from './metrics-server.ts';
import { findMistakes } from './schemas.ts';
import {
  type Check,
  type Guarantee,
  checkDisruptions,
  checkOverlay,
  checkRoll,
  checkScaling,
  guarantees,
  removeAll,
} from './steps.ts';
import { checkDistributed, checkStores } from './stores-steps.ts';
import { type Tools, provideTools } from './tools.ts';

const overlays = join(repoRoot(), 'infra/k8s/overlays');

interface Chosen {
  only: readonly string[];
  broken?: Guarantee | undefined;
}

async function checkAgainst(tools: Tools, dir: string, { only, broken }: Chosen): Promise<void> {
  await using plane = await startControlPlane(tools, dir, say);
  const { cluster } = plane;
  for (const path of tools.definitions) await cluster.kubectl(['apply', '--server-side', '-f', path]);
  await cluster.kubectl(['wait', '--for=condition=established', 'crd', '--all', '--timeout=60s']);
  await cluster.kubectl(
    ['apply', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: machines() }),
  );
  say(
    `A control plane of Kubernetes ${tools.version} runs, with ${machines().length} machines in 3 zones, played by kwok.`,
  );
  await using metrics = await startMetricsServer(cluster, plane.tls, namespace);
  const check: Check = { cluster, metrics, overlays, helm: tools.programs.helm, broken, say };

  try {
    for (const name of only) {
      say(`\n${name}`);
      await parts[name]?.(check);
      await removeAll(check);
    }
  } catch (error) {
    say(await cluster.kubectl(['-n', namespace, 'get', 'deployments,hpa,pods', '-o', 'wide']));
    throw error;
  }
}

/** What is checked one after the other, each on an empty cluster. */
const parts: Readonly<Record<string, (check: Check) => Promise<void>>> = {
  small: (check) => checkOverlay(check, 'small'),
  keda: (check) => checkOverlay(check, 'keda'),
  chart: checkChart,
  stores: checkStores,
  replicas: (check) => checkOverlay(check, 'replicas'),
  distributed: checkDistributed,
  async production(check) {
    await checkOverlay(check, 'production');
    check.say('production, scaled');
    await checkScaling(check);
    check.say('production, rolled');
    await checkRoll(check, 'production');
    check.say('production, disrupted');
    await checkDisruptions(check);
  },
};

const machines = (): object[] =>
  Array.from({ length: 6 }, (_, number) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `machine-${number + 1}`,
      labels: {
        'topology.kubernetes.io/zone': `zone-${(number % 3) + 1}`,
        'kubernetes.io/hostname': `machine-${number + 1}`,
      },
    },
  }));

/** All that can be said without a control plane. */
async function checkSchemas(): Promise<void> {
  const manifests = await readManifests(join(repoRoot(), 'infra/k8s'));
  const ours = manifests.filter(({ file }) => !file.startsWith('metrics/'));
  const mistakes = await findMistakes(ours);
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  say(`The schemas of Kubernetes find nothing wrong with ${ours.length} objects.`);
}

const isGuarantee = (name: string): name is Guarantee => Object.hasOwn(guarantees, name);

const usage = `npm run k8s:check -- [--only PART[,PART]] [--schemas] [--break GUARANTEE] [--json]

Applies the manifests of infra/k8s to a real control plane with played machines, and scales, rolls and drains what they
deploy; compares the chart with them, installs and upgrades it. The control plane and Helm are built by Go the first
time. Exits with 1 if something does not hold. Where there is no Go, it holds the manifests against the schemas of
Kubernetes alone and exits with 2.

  --only     ${Object.keys(parts).join(', ')}
  --schemas  does no more than that, and exits with 0
  --break    shows that the check can fail:
${Object.entries(guarantees)
  .map(([name, what]) => `             ${name.padEnd(8)}  ${what}`)
  .join('\n')}`;

const { values } = readArguments(usage, {
  schemas: { type: 'boolean', default: false },
  only: { type: 'string', default: Object.keys(parts).join() },
  break: { type: 'string' },
});
const { break: broken } = values;
const only = values.only.split(',');
const unknown = only.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) refuseArguments(usage, `There is no part that is called ${unknown}.`);
if (broken !== undefined && !isGuarantee(broken))
  refuseArguments(usage, `There is nothing to break that is called ${broken}.`);
const go = values.schemas ? undefined : findGo();
const startedMs = systemClock.nowMs();
const dir = await makeTiedFolder('parley-k8s-');
try {
  await (go ? checkAgainst(await provideTools(go, say), dir, { only, broken }) : checkSchemas());
  const seconds = Math.round((systemClock.nowMs() - startedMs) / 1000);
  if (go) conclude(values.json, { holds: true, result: `All of it holds, in ${seconds} s.` });
  else if (values.schemas)
    conclude(values.json, { holds: true, result: 'The manifests follow the schemas.' });
  else
    cannotRun(values.json, 'There is no Go here to build a control plane, so only the schemas were checked.');
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  conclude(values.json, { holds: false, result: `It does not hold: ${reason}` });
} finally {
  await rm(dir, { recursive: true, force: true });
}
