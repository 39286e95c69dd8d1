import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { Cluster } from './cluster.ts';

/** What the deployment has to do, all nodes of a role together. */
interface Load {
  parkedPolls: number;
  jobsWaiting: number;
  /** Processor time that each role takes, in thousandths of a processor. */
  milliCpu: Record<string, number>;
}

export interface MetricsServer extends AsyncDisposable {
  load: Load;
}

interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
}

const groups = {
  'metrics.k8s.io/v1beta1': ['pods'],
  'custom.metrics.k8s.io/v1beta2': ['pods/parley_queue_parked_polls'],
  'external.metrics.k8s.io/v1beta1': ['parley_worker_jobs_waiting'],
};

/**
 * Serves the metrics APIs by which HorizontalPodAutoscalers scale, as metrics-server and an adapter for Prometheus would,
 * from a load that is divided evenly among the nodes.
 */
export async function startMetricsServer(
  cluster: Cluster,
  tls: { cert: Buffer; key: Buffer },
  namespace: string,
): Promise<MetricsServer> {
  const load: Load = { parkedPolls: 0, jobsWaiting: 0, milliCpu: {} };
  const pods = async (selector: string) => {
    const query = new URLSearchParams({ labelSelector: selector });
    const path = `/api/v1/namespaces/${namespace}/pods?${query.toString()}`;
    const { items } = await cluster.get<{ items: Pod[] }>(path);
    return items.filter(({ metadata }) => !metadata.deletionTimestamp);
  };

  async function answer(url: URL): Promise<object | undefined> {
    const timestamp = new Date().toISOString();
    const [, , group, version, , , kind, , name] = url.pathname.split('/');
    const apiVersion = `${group}/${version}`;
    const resources = Object.entries(groups).find(([known]) => known === apiVersion)?.[1];
    if (!resources) return undefined;
    if (!kind) {
      const listed = resources.map((name) => ({
        name,
        singularName: '',
        namespaced: true,
        kind: 'Metric',
        verbs: ['get', 'list'],
      }));
      return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion, resources: listed };
    }
    if (kind === 'parley_worker_jobs_waiting') {
      const item = { metricName: kind, metricLabels: {}, timestamp, value: String(load.jobsWaiting) };
      return { kind: 'ExternalMetricValueList', apiVersion, metadata: {}, items: [item] };
    }
    const found = await pods(url.searchParams.get('labelSelector') ?? '');
    if (name) {
      const value = String(Math.round(load.parkedPolls / Math.max(1, found.length)));
      const items = found.map(({ metadata }) => ({
        describedObject: { kind: 'Pod', namespace, name: metadata.name, apiVersion: 'v1' },
        metric: { name },
        timestamp,
        value,
      }));
      return { kind: 'MetricValueList', apiVersion, metadata: {}, items };
    }
    const items = found.map(({ metadata }) => {
      const milli = load.milliCpu[metadata.labels['app.kubernetes.io/component'] ?? ''] ?? 0;
      const usage = { cpu: `${Math.round(milli / Math.max(1, found.length))}m`, memory: '200Mi' };
      return {
        metadata: { name: metadata.name, namespace, labels: metadata.labels },
        timestamp,
        window: '15s',
        containers: [{ name: 'node', usage }],
      };
    });
    return { kind: 'PodMetricsList', apiVersion, metadata: {}, items };
  }

  const server = createServer(tls, (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    answer(new URL(request.url ?? '/', 'https://localhost')).then(
      (body) =>
        reply(body ? 200 : 404, body ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }),
      () => reply(503, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 503 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await cluster.kubectl(
    ['apply', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: registrations(port) }),
  );
  return {
    load,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What makes the API server pass these APIs on. A Service may not point at loopback by its address, only by its name. */
function registrations(port: number): object[] {
  const name = 'check-metrics';
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'kube-system' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  };
  const services = Object.keys(groups).map((groupVersion) => {
    const [group, version] = groupVersion.split('/');
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name, namespace: 'kube-system', port },
      },
    };
  });
  return [service, ...services];
}
