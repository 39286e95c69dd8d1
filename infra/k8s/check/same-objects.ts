import { isDeepStrictEqual } from 'node:util';

import type { KubeObject } from './manifests.ts';

/** What a chart says about itself, and nothing of what it deploys. */
const ofCharts = new Set(['checksum/settings', 'helm.sh/resource-policy']);
/** Names that end with a hash of what they name, which Helm and Kustomize compute each in their way. */
const hashed = /^(migrate|parley)-[a-z0-9]{10}$/;

/** Returns in what the objects of a chart differ from those of Kustomize, in lines. A chart makes no namespace. */
export function findDifferences(chart: readonly KubeObject[], kustomize: readonly KubeObject[]): string[] {
  const [ours, theirs] = [chart, kustomize].map(byName);
  const names = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [made, meant] = [ours?.get(name), theirs?.get(name)];
    if (!made) return [`${name}: the chart lacks it`];
    if (!meant) return [`${name}: only the chart has it`];
    return differences(made, meant, name);
  });
}

function byName(objects: readonly KubeObject[]): Map<string, unknown> {
  return new Map(
    objects
      .filter(({ kind }) => kind !== 'Namespace')
      .map((object) => [
        `${object.kind} ${String(normal('name', object.metadata.name))}`,
        JSON.parse(JSON.stringify(object, normal)),
      ]),
  );
}

function normal(key: string, value: unknown): unknown {
  if (ofCharts.has(key)) return undefined;
  if (key === 'name' && typeof value === 'string') return value.replace(hashed, '$1');
  const isEmpty =
    key === 'annotations' && value !== null && Object.keys(value as object).every((one) => ofCharts.has(one));
  return isEmpty ? undefined : value;
}

function differences(made: unknown, meant: unknown, where: string): string[] {
  if (isDeepStrictEqual(made, meant)) return [];
  if (typeof made !== 'object' || typeof meant !== 'object' || made === null || meant === null)
    return [`${where}: ${JSON.stringify(made)} instead of ${JSON.stringify(meant)}`];
  const keys = new Set([...Object.keys(made), ...Object.keys(meant)]);
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
  return [...keys].flatMap((key) => differences(at(made, key), at(meant, key), `${where}.${key}`));
}
