import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type Server, createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** For clients that speak nothing but HTTPS to a name: a proxy which ends TLS for that name before the cluster. */
export interface TlsFront extends AsyncDisposable {
  /** What makes a client ask the proxy, and believe its certificate. */
  env: NodeJS.ProcessEnv;
}

export const canMakeCertificates = (): Promise<boolean> =>
  run('openssl', ['version']).then(
    () => true,
    () => false,
  );

async function makeCertificate(folder: string, host: string): Promise<{ key: string; cert: string }> {
  const key = join(folder, 'front.key');
  const cert = join(folder, 'front.pem');
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  await run('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert]);
  return { key, cert };
}

/** Passes requests on as the proxy of a deployment does. */
function passOnTo(site: string): Server {
  return createServer((incoming, answer) => {
    const headers = { ...incoming.headers, host: new URL(site).host };
    const outgoing = request(
      new URL(incoming.url ?? '/', site),
      { method: incoming.method, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
}

export async function startTlsFront(site: string, folder: string, host: string): Promise<TlsFront> {
  const files = await makeCertificate(folder, host);
  const [key, cert] = [await readFile(files.key), await readFile(files.cert)];
  const inner = passOnTo(site);
  const sockets = new Set<Socket>();
  const proxy = createServer();
  proxy.on('connect', (_, socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const secure = new TLSSocket(socket, { isServer: true, key, cert });
    secure.on('error', () => socket.destroy());
    inner.emit('connection', secure);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // Safe: it listens on a port.
  const { port } = proxy.address() as AddressInfo;
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      https_proxy: `http://127.0.0.1:${port}`,
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
      SSL_CERT_FILE: files.cert,
      REQUESTS_CA_BUNDLE: files.cert,
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
