import { type OutgoingHttpHeaders, Agent, request } from 'node:http';

/** node:http and not fetch: the Host header names the realm, and fetch does not let anyone set it. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Parsed JSON: `checkReply` holds its shape against the contract, and the test what it holds. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
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
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, headers, bytes, text, body: parse(text) });
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

/** A file as a form sends it. Without a type, the program that sends it does not know. */
export interface SentFile {
  name: string;
  content: Buffer | string;
  type?: string;
}

/** The smallest there is. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const boundary = 'a-boundary-that-is-in-no-file';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** Fields and files as a multipart body. */
export function encodeMultipart(files: readonly SentFile[], params: Params = {}): Buffer {
  const fields = [...new URLSearchParams(encode(params))].map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  const parts = files.flatMap(({ name, content, type }, index) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file-${index}"; filename="${name}"\r\n${
        type === undefined ? '' : `Content-Type: ${type}\r\n`
      }\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...fields, ...parts, Buffer.from(`--${boundary}--\r\n`)]);
}
