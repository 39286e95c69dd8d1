import type { Manifest } from './manifests.ts';

interface Model {
  new (value: object): { validate(): void };
}

/** Definitions that a cluster has to be taught: only an API server that knows them can check these objects. */
const taught = new Set([
  'barmancloud.cnpg.io',
  'gateway.networking.k8s.io',
  'keda.sh',
  'monitoring.coreos.com',
  'postgresql.cnpg.io',
]);

/** What the schemas of Kubernetes find wrong with the objects. A field that they do not know is not noticed. */
export async function findMistakes(manifests: readonly Manifest[]): Promise<string[]> {
  const mistakes: string[] = [];
  for (const { file, ...object } of manifests) {
    const { apiVersion, kind, metadata } = object;
    if (taught.has(apiVersion.split('/')[0] ?? '')) continue;
    const where = `${file}: ${kind} ${metadata.name}`;
    try {
      const models = (await import(`kubernetes-models/${apiVersion}`)) as Record<string, Model | undefined>;
      const model = models[kind];
      if (model) new model(object).validate();
      else mistakes.push(`${where}: there is no such kind in ${apiVersion}`);
    } catch (error) {
      mistakes.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return mistakes;
}
