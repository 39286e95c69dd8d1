import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../../dev/machine/free-port.ts';
import { connectOnce, retryUntil } from '../../dev/machine/retry-until.ts';
import type { Say } from '../../dev/machine/say.ts';
import { Supervised } from '../../dev/machine/supervise.ts';
import { spawnTied } from '../../dev/machine/tied-process.ts';
import { type Cluster, connectCluster } from './cluster.ts';
import type { Tools } from './tools.ts';

export interface ControlPlane extends AsyncDisposable {
  cluster: Cluster;
  /** The certificate of the API server and its key, for servers beside it. */
  tls: { cert: Buffer; key: Buffer };
}

const readyMsMax = 120_000;

/** Starts a real control plane on loopback: etcd, API server, controllers, scheduler; and kwok, which plays the machines. */
export async function startControlPlane({ programs }: Tools, dir: string, say: Say): Promise<ControlPlane> {
  const certificates = join(dir, 'certificates');
  await mkdir(certificates, { recursive: true });
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const started: Supervised[] = [];
  const stop = async () => {
    for (const one of [...started].reverse()) await one.stop();
  };

  async function run(
    name: string,
    program: string,
    args: string[],
    ready: () => Promise<unknown>,
  ): Promise<void> {
    const log = join(dir, `${name}.log`);
    const server = new Supervised(
      {
        name,
        spawn() {
          const output = openSync(log, 'a');
          const child = spawnTied(program, args, {
            cwd: dir,
            stdio: ['ignore', output, output],
            deathSignal: 'KILL',
          });
          closeSync(output);
          return child;
        },
        ready: (_, signal) => retryUntil(ready, signal),
        readyMsMax,
        stopSignal: 'SIGKILL',
      },
      say,
    );
    started.push(server);
    await server.start().catch((error: Error) => {
      throw new Error(`${error.message}. The end of ${log}:\n${readFileSync(log, 'utf8').slice(-2000)}`, {
        cause: error,
      });
    });
  }

  try {
    const etcd = `http://127.0.0.1:${etcdPort}`;
    const peers = `http://127.0.0.1:${peerPort}`;
    await run(
      'etcd',
      programs.etcd,
      [
        `--data-dir=${join(dir, 'etcd')}`,
        `--listen-client-urls=${etcd}`,
        `--advertise-client-urls=${etcd}`,
        `--listen-peer-urls=${peers}`,
        `--initial-advertise-peer-urls=${peers}`,
        `--initial-cluster=default=${peers}`,
        '--unsafe-no-fsync',
      ],
      () => connectOnce(etcdPort),
    );

    const account = join(dir, 'service-account.key');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(account, privateKey.export({ type: 'pkcs1', format: 'pem' }));
    const token = randomBytes(24).toString('hex');
    await writeFile(join(dir, 'tokens.csv'), `${token},check,check,system:masters\n`);
    const server = `https://127.0.0.1:${port}`;
    const connection = { server, token, certificate: join(certificates, 'apiserver.crt') };
    let cluster: Cluster | undefined;
    await run(
      'kube-apiserver',
      programs['kube-apiserver'],
      [
        `--etcd-servers=${etcd}`,
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--cert-dir=${certificates}`,
        `--service-account-key-file=${account}`,
        `--service-account-signing-key-file=${account}`,
        `--service-account-issuer=${server}`,
        `--token-auth-file=${join(dir, 'tokens.csv')}`,
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
      ],
      async () => {
        cluster = await connectCluster(programs.kubectl, dir, connection);
        await cluster.get('/readyz/ping');
      },
    );
    if (!cluster) throw new Error('The API server did not start.');

    const kubeconfig = `--kubeconfig=${cluster.kubeconfig}`;
    const serve = async () => [
      `--secure-port=${await freePort()}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${certificates}`,
    ];
    const now = async () => {};
    await run(
      'kube-controller-manager',
      programs['kube-controller-manager'],
      [
        kubeconfig,
        ...(await serve()),
        '--leader-elect=false',
        `--service-account-private-key-file=${account}`,
        '--horizontal-pod-autoscaler-sync-period=1s',
        '--horizontal-pod-autoscaler-cpu-initialization-period=1s',
        '--horizontal-pod-autoscaler-initial-readiness-delay=1s',
      ],
      now,
    );
    await run(
      'kube-scheduler',
      programs['kube-scheduler'],
      [kubeconfig, ...(await serve()), '--leader-elect=false'],
      now,
    );
    const kwokPort = await freePort();
    const kwok = [
      kubeconfig,
      '--manage-all-nodes=true',
      '--node-ip=127.0.0.1',
      // Without leases the machines would be given up after a minute.
      '--node-lease-duration-seconds=40',
      `--server-address=127.0.0.1:${kwokPort}`,
    ];
    await run('kwok', programs.kwok, kwok, () => connectOnce(kwokPort));
    const tls = {
      cert: readFileSync(join(certificates, 'apiserver.crt')),
      key: readFileSync(join(certificates, 'apiserver.key')),
    };
    return { cluster, tls, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
