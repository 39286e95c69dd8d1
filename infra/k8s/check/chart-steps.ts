import { execa } from 'execa';

import { assertImage, namespace, untilMigrated, untilSettled } from './deployment.ts';
import { changeRelease, chartFolder, findTakenMistakes, renderChart, wrongValues } from './helm.ts';
import { type KubeObject, readObjects } from './manifests.ts';
import { findDifferences } from './same-objects.ts';
import { type Check, assertClosed, countServing, giveWhatIsNeeded, render } from './steps.ts';

/** Files of values of the chart, where Kustomize has the same, and what the chart leaves to Kustomize. */
const cases = [
  { sizes: [], overlay: '../base', apart: [] },
  { sizes: ['small'], overlay: 'small', apart: [] },
  { sizes: ['production'], overlay: 'production', apart: [] },
  { sizes: ['production', 'stores'], overlay: 'stores', apart: ['../postgres', '../redis'] },
] as const;

/** The chart makes what Kustomize makes, refuses what is wrong, and is installed and upgraded by Helm. */
export async function checkChart(check: Check): Promise<void> {
  const { cluster, helm, say } = check;
  await execa(helm, ['lint', '--strict', chartFolder]);
  for (const one of cases) await compare(check, one);
  const taken = await findTakenMistakes(helm);
  if (taken.length > 0) throw new Error(`The chart takes ${taken.join('; ')}.`);
  say(`  it refuses all ${wrongValues.length} wrong values`);

  await giveWhatIsNeeded(check);
  const over = { monitoring: { podMonitor: true, rules: true } };
  await changeRelease(helm, cluster.kubeconfig, 'install', { over });
  await untilMigrated(cluster, 'parley:latest');
  await untilSettled(cluster);
  say(`  installed: the migration is complete; ready: ${await countServing(cluster)}`);
  await changeRelease(helm, cluster.kubeconfig, 'upgrade', { over: { ...over, image: { tag: 'next' } } });
  await untilMigrated(cluster, 'parley:next');
  await untilSettled(cluster);
  await assertImage(cluster, 'parley:next');
  say(
    `  upgraded: the migration is complete; every node runs the new version: ${await countServing(cluster)}`,
  );
  await execa(helm, ['uninstall', 'parley', '-n', namespace, '--kubeconfig', cluster.kubeconfig]);
}

async function compare(check: Check, { sizes, overlay, apart }: (typeof cases)[number]): Promise<void> {
  const { helm, broken, say } = check;
  const over = broken === 'chart' ? { api: { autoscaling: { maxReplicas: 11 } } } : {};
  const made = await renderChart(helm, { sizes, over });
  assertClosed(made);
  const nameOf = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.name}`;
  const others = new Set<string>();
  for (const folder of apart) {
    for (const object of readObjects(await render(check, folder), folder)) others.add(nameOf(object));
  }
  const meant = readObjects(await render(check, overlay), overlay).filter((one) => !others.has(nameOf(one)));
  const differences = findDifferences(made, meant);
  if (differences.length > 0) throw new Error(differences.join('\n'));
  say(`  its ${made.length} objects are those of Kustomize: ${sizes.join(' and ') || 'without values'}`);
}
