import { Socket } from 'node:net';

import type { BenchServers } from './bench-servers.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import type { Bench } from './finding.ts';
import { percentile, two } from './numbers.ts';
import { postRequest } from './poller.ts';
import { startProgram } from './processes.ts';

/** Clients that come back at once; `STORM_CLIENTS` for fewer. */
const clientsMax = Number(process.env['STORM_CLIENTS'] ?? 10_000);
/** What they accept: `STORM_ENCODING=gzip`, as browsers do. Nothing unpacks it, so that the run measures the server. */
const encoding = process.env['STORM_ENCODING'] ?? 'identity';

export const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  user_settings_object: true,
  empty_topic_name: true,
  archived_channels: true,
};

/** All clients of a realm register at once at one api node, for everything, and come again when they are told to wait. */
async function stormOfRegistrations(servers: BenchServers, { users }: Crowd) {
  const clients = users.slice(0, clientsMax);
  await using program = await startProgram('services/api/dist/main.js', servers.env);
  const form = new URLSearchParams({ client_capabilities: JSON.stringify(capabilities) }).toString();
  const requests = clients.map((user) =>
    postRequest('/api/v1/register', servers.authorizationOf(user), form).replace(
      '\r\n',
      `\r\nAccept-Encoding: ${encoding}\r\n`,
    ),
  );
  const one = await registerUntilServed(program.port, requests[0] ?? '');
  const idleMib = program.memoryMib('VmRSS');
  const cpuBefore = program.cpuSeconds();
  const startMs = performance.now();
  const served = await Promise.all(
    requests.map(async (request) => {
      const { refusals } = await registerUntilServed(program.port, request);
      return { ms: performance.now() - startMs, refusals };
    }),
  );
  const times = served.map(({ ms }) => ms);
  return {
    clients: clients.length,
    replyKib: Math.round(one.bytes / 1024),
    secondsToAll: two((performance.now() - startMs) / 1000),
    p50Seconds: two(percentile(times, 0.5) / 1000),
    p99Seconds: two(percentile(times, 0.99) / 1000),
    cpuMsEach: two(((program.cpuSeconds() - cpuBefore) * 1000) / clients.length),
    refusals: served.reduce((sum, { refusals }) => sum + refusals, 0),
    idleMib,
    peakMib: program.memoryMib('VmHWM'),
  };
}

/** Asks until it is served. Counts the reply's bytes and keeps none. */
export async function registerUntilServed(
  port: number,
  request: string,
): Promise<{ bytes: number; refusals: number }> {
  for (let refusals = 0; ; refusals += 1) {
    const { status, bytes, retryAfter } = await ask(port, request);
    if (status === 200) return { bytes, refusals };
    if (!comesAgain.has(status)) throw new Error(`A registration was answered with ${status}.`);
    // Clients spread what they try again.
    await new Promise((resolve) => setTimeout(resolve, (retryAfter + Math.random()) * 1000));
  }
}

const readBuffer = Buffer.alloc(256 * 1024);
const dropped = 0;
/** More connect at once than the system keeps for a server: it drops some, and the requests of others arrive too late. */
const comesAgain: ReadonlySet<number> = new Set([dropped, 408, 429, 503]);

interface Answer {
  status: number;
  bytes: number;
  retryAfter: number;
}

/** A reply as it arrives in the buffer that all share: its head is kept, its body counted. */
class ArrivingReply {
  bytes = 0;
  private head = '';
  /** Unknown until the head is whole. */
  private length = -1;

  get isWhole(): boolean {
    return this.length >= 0 && this.bytes >= this.length;
  }

  add(count: number): void {
    this.bytes += count;
    if (this.length >= 0) return;
    this.head += readBuffer.toString('latin1', 0, count);
    const end = this.head.indexOf('\r\n\r\n');
    if (end >= 0) this.length = end + 4 + Number(/content-length: *(\d+)/i.exec(this.head)?.[1] ?? 0);
  }

  result(): Answer {
    const retryAfter = Number(/retry-after: *(\d+)/i.exec(this.head)?.[1] ?? 1);
    return { status: Number(this.head.slice(9, 12)), bytes: this.bytes, retryAfter };
  }
}

function ask(port: number, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const reply = new ArrivingReply();
    const callback = (count: number) => {
      reply.add(count);
      if (reply.isWhole) {
        socket.destroy();
        resolve(reply.result());
      }
      return true;
    };
    // Safe: sockets that connect take it, and the types give it to `connect` alone.
    const socket = new Socket({ onread: { buffer: readBuffer, callback } } as object);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' && reply.bytes === 0)
        resolve({ status: dropped, bytes: 0, retryAfter: 1 });
      else reject(error);
    });
    socket.on('close', () => reject(new Error('A registration was not answered.')));
    socket.connect({ port, host: '127.0.0.1' }, () => socket.write(request, 'latin1'));
  });
}

/** All clients of a large realm come back at once. */
export const registerStorm: Bench = async (servers, say) => {
  const crowd = await gatherCrowd(servers, 10_000);
  say('everybody registers at once …');
  const storm = await stormOfRegistrations(servers, crowd);
  return {
    figures: { ...storm },
    claim: { holds: true, result: `${storm.clients} clients registered in ${storm.secondsToAll} s` },
    rows: [
      [`${storm.clients} clients of a realm of 10 000 register at once, s`, storm.secondsToAll],
      ['  each, p50  p99, s', `${storm.p50Seconds}  ${storm.p99Seconds}`],
      ['  told to come again', storm.refusals],
      ['  reply, KiB', storm.replyKib],
      ['  processor time of each, ms', storm.cpuMsEach],
      ['  memory of the api node before and at most, MiB', `${storm.idleMib}  ${storm.peakMib}`],
    ],
    picture: [],
  };
};
