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
  const plane = new Servers(programs, dir, say);
  try {
    await mkdir(plane.certificates, { recursive: true });
    const etcd = await plane.startEtcd();
    const cluster = await plane.startApiServer(etcd);
    await plane.startControllers(cluster);
    await plane.startMachines(cluster);
    const tls = {
      cert: readFileSync(join(plane.certificates, 'apiserver.crt')),
      key: readFileSync(join(plane.certificates, 'apiserver.key')),
    };
    return { cluster, tls, [Symbol.asyncDispose]: () => plane.stop() };
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

/** The servers of a control plane, which end with this process. Their logs and data are in one folder. */
class Servers {
  readonly certificates: string;
  private readonly programs: Tools['programs'];
  private readonly dir: string;
  private readonly say: Say;
  /** The key that signs the tokens of service accounts. */
  private readonly accountKey: string;
  private readonly started: Supervised[] = [];

  constructor(programs: Tools['programs'], dir: string, say: Say) {
    this.programs = programs;
    this.dir = dir;
    this.say = say;
    this.certificates = join(dir, 'certificates');
    this.accountKey = join(dir, 'service-account.key');
  }

  async stop(): Promise<void> {
    for (const server of [...this.started].reverse()) await server.stop();
  }

  /** Resolves with its address. */
  async startEtcd(): Promise<string> {
    const [port, peerPort] = [await freePort(), await freePort()];
    const address = `http://127.0.0.1:${port}`;
    const peers = `http://127.0.0.1:${peerPort}`;
    const args = [
      `--data-dir=${join(this.dir, 'etcd')}`,
      `--listen-client-urls=${address}`,
      `--advertise-client-urls=${address}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
      '--unsafe-no-fsync',
    ];
    await this.run('etcd', args, () => connectOnce(port));
    return address;
  }

  async startApiServer(etcd: string): Promise<Cluster> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(this.accountKey, privateKey.export({ type: 'pkcs1', format: 'pem' }));
    const token = randomBytes(24).toString('hex');
    const tokens = join(this.dir, 'tokens.csv');
    await writeFile(tokens, `${token},check,check,system:masters\n`);
    const port = await freePort();
    const server = `https://127.0.0.1:${port}`;
    const args = [
      `--etcd-servers=${etcd}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--cert-dir=${this.certificates}`,
      `--service-account-key-file=${this.accountKey}`,
      `--service-account-signing-key-file=${this.accountKey}`,
      `--service-account-issuer=${server}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
    ];
    let cluster: Cluster | undefined;
    await this.run('kube-apiserver', args, async () => {
      const certificate = join(this.certificates, 'apiserver.crt');
      cluster = await connectCluster(this.programs.kubectl, this.dir, { server, token, certificate });
      await cluster.get('/readyz/ping');
    });
    if (!cluster) throw new Error('The API server did not start.');
    return cluster;
  }

  /** The controllers and the scheduler. */
  async startControllers(cluster: Cluster): Promise<void> {
    const now = async () => {};
    await this.run(
      'kube-controller-manager',
      [
        ...(await this.besideApiServer(cluster)),
        `--service-account-private-key-file=${this.accountKey}`,
        '--horizontal-pod-autoscaler-sync-period=1s',
        '--horizontal-pod-autoscaler-cpu-initialization-period=1s',
        '--horizontal-pod-autoscaler-initial-readiness-delay=1s',
      ],
      now,
    );
    await this.run('kube-scheduler', await this.besideApiServer(cluster), now);
  }

  /** kwok, which plays every machine. */
  async startMachines({ kubeconfig }: Cluster): Promise<void> {
    const port = await freePort();
    const args = [
      `--kubeconfig=${kubeconfig}`,
      '--manage-all-nodes=true',
      '--node-ip=127.0.0.1',
      // Without leases the machines would be given up after a minute.
      '--node-lease-duration-seconds=40',
      `--server-address=127.0.0.1:${port}`,
    ];
    await this.run('kwok', args, () => connectOnce(port));
  }

  private async besideApiServer({ kubeconfig }: Cluster): Promise<string[]> {
    return [
      `--kubeconfig=${kubeconfig}`,
      `--secure-port=${await freePort()}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${this.certificates}`,
      '--leader-elect=false',
    ];
  }

  private async run(
    name: keyof Tools['programs'],
    args: string[],
    ready: () => Promise<unknown>,
  ): Promise<void> {
    const { dir, programs, say } = this;
    const log = join(dir, `${name}.log`);
    const server = new Supervised(
      {
        name,
        spawn() {
          const output = openSync(log, 'a');
          const stdio = ['ignore', output, output] as const;
          const child = spawnTied(programs[name], args, { cwd: dir, stdio: [...stdio], deathSignal: 'KILL' });
          closeSync(output);
          return child;
        },
        ready: (_, signal) => retryUntil(ready, signal),
        readyMsMax,
        stopSignal: 'SIGKILL',
      },
      say,
    );
    this.started.push(server);
    await server.start().catch((error: Error) => {
      throw new Error(`${error.message}. The end of ${log}:\n${readFileSync(log, 'utf8').slice(-2000)}`, {
        cause: error,
      });
    });
  }
}
