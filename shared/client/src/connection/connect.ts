import { delayMs, pause } from './backoff.ts';
import { type Credentials, headersOf, pathOf } from './credentials.ts';
import { type Params, encode } from './encode.ts';
import { RequestFailed, Unreachable, isTransient } from './errors.ts';
import { read } from './read.ts';
import { type Upload, upload } from './upload.ts';

export interface RequestOptions {
  /** Aborts the request; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** How often a GET that fails for a moment is tried again. */
  retries?: number;
}

/**
 * A way to one organization's API, as one account. Replies are parsed bodies.
 * @throws RequestFailed when the server refuses; Unreachable when no answer came
 */
export interface Connection {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Is tried again where the failure is one of the moment. */
  get<Reply>(path: string, params?: Params, options?: RequestOptions): Promise<Reply>;
  /** None of these is tried again by itself: what was asked may have been done. */
  readonly post: <Reply>(path: string, params?: Params, options?: RequestOptions) => Promise<Reply>;
  patch<Reply>(path: string, params?: Params, options?: RequestOptions): Promise<Reply>;
  put<Reply>(path: string, params?: Params, options?: RequestOptions): Promise<Reply>;
  readonly delete: <Reply>(path: string, params?: Params, options?: RequestOptions) => Promise<Reply>;
  /** Where an address of the API is, and the headers that show who asks: for what asks by itself. */
  addressOf(path: string): { url: string; headers: Record<string, string> };
  /** Uploads a file. */
  upload<Reply>(path: string, file: File, options?: Upload): Promise<Reply>;
}

export interface ConnectOptions {
  /** The address of the organization, such as `https://chat.example.com`; empty for the page's own. */
  baseUrl: string;
  credentials: Credentials;
  fetch?: typeof fetch;
}

const timeoutMs = 30_000;
const getRetries = 3;

export function connect({ baseUrl, credentials, fetch: ask = fetch }: ConnectOptions): Connection {
  const root = `${baseUrl.replace(/\/$/, '')}${pathOf(credentials)}`;

  async function request(method: string, path: string, params: Params, options: RequestOptions) {
    const fields = encode(params).toString();
    const isQuery = method === 'GET';
    const limit = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    try {
      const response = await ask(`${root}${path}${isQuery && fields ? `?${fields}` : ''}`, {
        method,
        headers: headersOf(credentials, !isQuery),
        credentials: credentials === 'session' ? 'same-origin' : 'omit',
        cache: 'no-store',
        ...(!isQuery && { body: new URLSearchParams(fields) }),
        signal,
      });
      return read(response.status, response.headers.get('retry-after'), await response.text());
    } catch (error) {
      if (error instanceof RequestFailed) throw error;
      options.signal?.throwIfAborted();
      throw new Unreachable(error);
    }
  }

  async function get(path: string, params: Params = {}, options: RequestOptions = {}) {
    const { retries = getRetries, signal } = options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await request('GET', path, params, options);
      } catch (error) {
        if (attempt >= retries || !isTransient(error)) throw error;
        await pause(delayMs(attempt, error), signal);
        signal?.throwIfAborted();
      }
    }
  }

  const addressOf = (path: string) => ({ url: `${root}${path}`, headers: headersOf(credentials, true) });

  const write =
    (method: string) =>
    (path: string, params: Params = {}, options: RequestOptions = {}) =>
      request(method, path, params, options);

  return {
    baseUrl,
    credentials,
    // The shape of a reply is the contract's, and whoever asks names it.
    get: get as Connection['get'],
    post: write('POST') as Connection['post'],
    patch: write('PATCH') as Connection['patch'],
    put: write('PUT') as Connection['put'],
    delete: write('DELETE') as Connection['delete'],
    addressOf,
    upload: (async (path, file, options) =>
      await upload({ ...addressOf(path), ask }, file, options)) as Connection['upload'],
  };
}
