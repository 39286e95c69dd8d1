import { Networks, isInNetworks } from '@parley/kit';

import type { KubeObject } from './manifests.ts';

/** Where clouds tell the programs of a machine who it is, and lend them its rights. */
const metadataAddresses =
  '169.254.169.254 169.254.170.2 169.254.170.23 169.254.42.42 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd00:ec2::23 fd00:c1::a9fe:a9fe fd00:42::42 fd20:ce::254 fe80::a9fe:a9fe'.split(
    ' ',
  );

type Labels = Readonly<Record<string, string>>;
interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
}
interface Policy {
  podSelector: { matchLabels?: Labels; matchExpressions?: unknown };
  policyTypes: string[];
  ingress?: { from?: Peer[] }[];
  egress?: { to?: Peer[] }[];
}
interface Labelled {
  labels?: Labels;
}
interface Template {
  metadata?: Labelled;
}
interface Workload {
  what: string;
  labels: Labels;
}

/**
 * Returns what the network policies among the objects leave open: workloads of which no policy says what reaches them or
 * what they reach, rules that let anybody in, and rules that lead to the metadata of a cloud.
 */
export function findOpenings(objects: readonly KubeObject[]): string[] {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  return workloadsOf(objects).flatMap(({ what, labels }) => {
    const own = policies.filter((policy) => selects(policyOf(policy), labels));
    const unsaid = ['Ingress', 'Egress'].filter(
      (type) => !own.some((policy) => policyOf(policy).policyTypes.includes(type)),
    );
    return [
      ...unsaid.map((type) => `${what}: no policy limits its ${type.toLowerCase()}`),
      ...own.flatMap((policy) =>
        openingsOf(policyOf(policy)).map((opening) => `${what}: ${policy.metadata.name} ${opening}`),
      ),
    ];
  });
}

// Safe: only schemas and an API server that takes them come before or after.
const policyOf = ({ spec }: KubeObject) => spec as unknown as Policy;

function workloadsOf(objects: readonly KubeObject[]): Workload[] {
  return objects.flatMap(({ kind, metadata: { name }, spec }) => {
    const what = `${kind} ${name}`;
    // The Pods that CloudNativePG makes of a cluster.
    if (kind === 'Cluster') {
      const { labels = {} } = (spec?.['inheritedMetadata'] ?? {}) as Labelled;
      return [{ what, labels: { 'cnpg.io/cluster': name, ...labels } }];
    }
    const job = spec?.['jobTemplate'] as { spec?: { template?: Template } } | undefined;
    const template = job?.spec?.template ?? (spec?.['template'] as Template | undefined);
    return template ? [{ what, labels: template.metadata?.labels ?? {} }] : [];
  });
}

function selects({ podSelector }: Policy, labels: Labels): boolean {
  if (podSelector.matchExpressions !== undefined)
    throw new Error('Network policies are read by their matchLabels alone.');
  return Object.entries(podSelector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
}

function openingsOf({ ingress = [], egress = [] }: Policy): string[] {
  const openings = ingress.filter(({ from = [] }) => from.length === 0).map(() => 'lets anybody in');
  for (const address of metadataAddresses) {
    if (egress.some(({ to = [] }) => to.length === 0 || to.some((peer) => holds(peer, address))))
      openings.push(`leads to ${address}`);
  }
  return openings;
}

function holds({ ipBlock }: Peer, address: string): boolean {
  if (!ipBlock) return false;
  const { cidr, except = [] } = ipBlock;
  const isIn = (networks: readonly string[]) => isInNetworks(address, Networks.parse(networks.join()));
  return isIn([cidr]) && !isIn(except);
}
