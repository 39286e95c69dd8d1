import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { execa } from 'execa';

interface Connection {
  server: string;
  token: string;
  /** The file of the certificate by which the API server is known. */
  certificate: string;
}

/** A Kubernetes API, through kubectl and by itself. */
export interface Cluster {
  kubeconfig: string;
  /** Runs kubectl, and resolves with what it printed. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  get<Answer>(path: string): Promise<Answer>;
  /** Resolves with the status. */
  post(path: string, body: object): Promise<number>;
}

export async function connectCluster(kubectl: string, dir: string, connection: Connection): Promise<Cluster> {
  const { server, token, certificate } = connection;
  const ca = await readFile(certificate);
  // A connection that is kept may be closed by the server just when it is used again.
  const agent = new Agent({ ca, keepAlive: false });
  const kubeconfig = join(dir, 'kubeconfig.json');
  const named = <Value>(key: string, value: Value) => [{ name: 'check', [key]: value }];
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'check',
      clusters: named('cluster', { server, 'certificate-authority': certificate }),
      users: named('user', { token }),
      contexts: named('context', { cluster: 'check', user: 'check' }),
    }),
    { mode: 0o600 },
  );

  const ask = async (method: string, path: string, body?: object) =>
    await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const asked = request(server + path, { method, agent, headers, timeout: 30_000 }, (response) => {
        text(response).then((read) => resolve({ status: response.statusCode ?? 0, text: read }), reject);
      });
      asked.on('error', reject);
      asked.on('timeout', () => asked.destroy(new Error(`${path} was not answered`)));
      asked.end(body && JSON.stringify(body));
    });

  return {
    kubeconfig,
    async kubectl(args, input = '') {
      const { stdout } = await execa(kubectl, [`--kubeconfig=${kubeconfig}`, ...args], { input });
      return stdout;
    },
    async get<Answer>(path: string) {
      const { status, text: body } = await ask('GET', path);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.slice(0, 300)}`);
      return (body.startsWith('{') ? JSON.parse(body) : body) as Answer;
    },
    post: async (path, body) => (await ask('POST', path, body)).status,
  };
}
