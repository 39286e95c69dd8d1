import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** node:http and not fetch: the Host header names the realm, and fetch does not let anyone set it. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Parsed JSON: `checkReply` holds its shape against the contract, and the test what it holds. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined when it is not JSON. */
  body: Json;
}

export interface RawRequest {
  port: number;
  method: string;
  /** With the query. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/** One HTTP request, exactly as given. */
export async function call({ port, method, path, headers = {}, body, signal }: RawRequest): Promise<Reply> {
  // node:http gives the body of a DELETE no length by itself, and the next request would start inside it.
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...length, ...headers },
        agent,
        ...(signal && { signal }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Params = Record<string, unknown>;

/** Parameters as clients encode them: strings as they stand, everything else as JSON. Undefined is not sent. */
export function encode(params: Params): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) fields.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return fields.toString();
}
