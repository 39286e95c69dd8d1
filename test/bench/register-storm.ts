import { Socket } from 'node:net';

import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { percentile, two } from './numbers.ts';
import { postRequest } from './poller.ts';
import { startProgram } from './processes.ts';

/** Clients that come back at once; `STORM_CLIENTS` for fewer. */
const clientsMax = Number(process.env['STORM_CLIENTS'] ?? 10_000);
/** What they accept: `STORM_ENCODING=gzip`, as browsers do. Nothing unpacks it, so that the run measures the server. */
const encoding = process.env['STORM_ENCODING'] ?? 'identity';

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  user_settings_object: true,
  empty_topic_name: true,
  archived_channels: true,
};

/** All clients of a realm register at once at one api node, for everything, and come again when they are told to wait. */
export async function stormOfRegistrations(servers: BenchServers, { users }: Crowd) {
  const clients = users.slice(0, clientsMax);
  await using program = await startProgram('services/api/dist/main.js', servers.env);
  const form = new URLSearchParams({ client_capabilities: JSON.stringify(capabilities) }).toString();
  const requests = clients.map((user) =>
    postRequest('/api/v1/register', servers.authorizationOf(user), form).replace(
      '\r\n',
      `\r\nAccept-Encoding: ${encoding}\r\n`,
    ),
  );
  const one = await register(program.port, requests[0] ?? '');
  const idleMib = program.memoryMib('VmRSS');
  const cpuBefore = program.cpuSeconds();
  const startMs = performance.now();
  const served = await Promise.all(
    requests.map(async (request) => {
      const { refusals } = await register(program.port, request);
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
async function register(port: number, request: string): Promise<{ bytes: number; refusals: number }> {
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

function ask(port: number, request: string): Promise<{ status: number; bytes: number; retryAfter: number }> {
  return new Promise((resolve, reject) => {
    let [head, bytes, length] = ['', 0, -1];
    const callback = (count: number) => {
      bytes += count;
      if (length < 0) {
        head += readBuffer.toString('latin1', 0, count);
        const end = head.indexOf('\r\n\r\n');
        if (end >= 0) length = end + 4 + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      }
      if (length >= 0 && bytes >= length) {
        socket.destroy();
        const retryAfter = Number(/retry-after: *(\d+)/i.exec(head)?.[1] ?? 1);
        resolve({ status: Number(head.slice(9, 12)), bytes, retryAfter });
      }
      return true;
    };
    // Safe: sockets that connect take it, and the types give it to `connect` alone.
    const socket = new Socket({ onread: { buffer: readBuffer, callback } } as object);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' && bytes === 0) resolve({ status: dropped, bytes, retryAfter: 1 });
      else reject(error);
    });
    socket.on('close', () => reject(new Error('A registration was not answered.')));
    socket.connect({ port, host: '127.0.0.1' }, () => socket.write(request, 'latin1'));
  });
}
