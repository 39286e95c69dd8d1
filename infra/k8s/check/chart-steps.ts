import { execa } from 'execa';

import { compareChart, sameThings } from './compare-chart.ts';
import { assertImage, namespace, untilMigrated, untilSettled } from './deployment.ts';
import { changeRelease, chartFolder, findTakenMistakes, wrongValues } from './helm.ts';
import { type Check, assertClosed, countServing, giveWhatIsNeeded, kustomize } from './steps.ts';

/** The chart makes what Kustomize makes, refuses what is wrong, and is installed and upgraded by Helm. */
export async function checkChart(check: Check): Promise<void> {
  const { cluster, helm, say } = check;
  await execa(helm, ['lint', '--strict', chartFolder]);
  for (const same of sameThings) await compare(check, same);
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

async function compare(check: Check, same: (typeof sameThings)[number]): Promise<void> {
  const { helm, broken, say } = check;
  const over = broken === 'chart' ? { api: { autoscaling: { maxReplicas: 11 } } } : {};
  const { made, differences } = await compareChart(helm, (folder) => kustomize(check, folder), same, over);
  assertClosed(made);
  if (differences.length > 0) throw new Error(differences.join('\n'));
  say(`  its ${made.length} objects are those of Kustomize: ${same.sizes.join(' and ') || 'without values'}`);
}
