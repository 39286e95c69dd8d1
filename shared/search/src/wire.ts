import { Agent, request } from 'undici';

import type { SearchOptions } from './config.ts';

/** What the engine has answered. */
export interface WireReply {
  status: number;
  body: unknown;
}

export interface WireRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  path: string;
  /** JSON, or lines of JSON. */
  body?: string;
  /** The time for everything. */
  msMax: number;
}

/** The most bytes of an answer: ten thousand ids are a megabyte. */
const replyBytesMax = 8 * 1024 * 1024;
const connectMs = 1000;
const connectionsMax = 8;

/** An HTTP connection to the engine. Every wait has a limit, and so has every answer. */
export class Wire implements AsyncDisposable {
  private readonly agent: Agent;
  private readonly origin: string;
  private readonly base: string;
  private readonly authorization: string | undefined;

  constructor({ url, user, password }: SearchOptions) {
    const { origin, pathname } = new URL(url);
    this.origin = origin;
    this.base = pathname.replace(/\/+$/, '');
    const credentials = Buffer.from(`${user}:${password}`).toString('base64');
    this.authorization = user === '' ? undefined : `Basic ${credentials}`;
    this.agent = new Agent({
      connect: { timeout: connectMs },
      connections: connectionsMax,
      maxResponseSize: replyBytesMax,
    });
  }

  /** Asks the engine, and reads the JSON that it answers with. */
  async ask({ method, path, body, msMax }: WireRequest): Promise<WireReply> {
    const isLines = body?.endsWith('\n') ?? false;
    const response = await request(`${this.origin}${this.base}${path}`, {
      dispatcher: this.agent,
      method,
      headers: {
        ...(this.authorization !== undefined && { authorization: this.authorization }),
        ...(body !== undefined && {
          'content-type': isLines ? 'application/x-ndjson' : 'application/json',
        }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(msMax),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: text === '' ? null : JSON.parse(text) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.destroy();
  }
}
