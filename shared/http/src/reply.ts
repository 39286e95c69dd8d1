import type { Duplex } from 'node:stream';

/** Headers of every API reply, as a raw array for `writeHead`. */
export const jsonHeaders: string[] = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  'private, no-store, max-age=0',
  'Vary',
  'Accept-Language, Authorization',
  'X-Content-Type-Options',
  'nosniff',
];

export const methodNotAllowed = (allowed: string[]) => ({
  result: 'error',
  msg: 'This address does not accept this method.',
  code: 'BAD_REQUEST',
  allowed_methods: allowed,
});

/** Tells browsers to come by TLS alone, to this host and its subdomains. For servers whose address is https. */
export const strictTransportSecurity = {
  name: 'Strict-Transport-Security',
  value: 'max-age=31536000; includeSubDomains',
};

/** The most bytes of request line and headers together: a list of 5 000 message ids fits in a query. */
export const headerBytesMax = 128 * 1024;

const clientErrorStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers a request that cannot be parsed, or has too long headers, with JSON. Listens to a server's `clientError`. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = clientErrorStatus[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({
    result: 'error',
    msg: `The server could not read this request: ${status}`,
    code: 'BAD_REQUEST',
  });
  const head = `Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
}
