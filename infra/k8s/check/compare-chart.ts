import { type Values, renderChart } from './helm.ts';
import { type KubeObject, readObjects } from './manifests.ts';
import { findDifferences } from './same-objects.ts';

/** Files of values of the chart, where Kustomize has the same, and what the chart leaves to Kustomize; from the overlays. */
export const sameThings = [
  { sizes: [], overlay: '../base', apart: [] },
  { sizes: ['small'], overlay: 'small', apart: [] },
  { sizes: ['production'], overlay: 'production', apart: [] },
  { sizes: ['production', 'stores'], overlay: 'stores', apart: ['../postgres', '../redis'] },
  {
    sizes: ['production', 'stores', 'replicas'],
    overlay: 'replicas',
    apart: ['../postgres', '../redis'],
  },
  // For the nodes it is one Postgres, whichever server it is.
  { sizes: ['production', 'stores'], overlay: 'distributed', apart: ['../citus', '../redis'] },
] as const;

const nameOf = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.name}`;

/** Returns what the chart makes, and in what it differs from what Kustomize does. */
export async function compareChart(
  program: string,
  kustomize: (folder: string) => Promise<string>,
  { sizes, overlay, apart }: (typeof sameThings)[number],
  over: Values['over'] = {},
): Promise<{ made: KubeObject[]; differences: string[] }> {
  const read = async (folder: string) => readObjects(await kustomize(folder), folder);
  const others = new Set((await Promise.all(apart.map(read))).flat().map(nameOf));
  const meant = (await read(overlay)).filter((object) => !others.has(nameOf(object)));
  const made = await renderChart(program, { sizes, over });
  return { made, differences: findDifferences(made, meant) };
}
