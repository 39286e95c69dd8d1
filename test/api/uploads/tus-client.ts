import { randomBytes } from 'node:crypto';

import {
  DefaultHttpStack,
  type DetailedError,
  type HttpResponse,
  Upload,
  type UploadOptions,
} from 'tus-js-client';

import { type Json, type Person, basic, getWorld } from '../../support/index.ts';

const mebibyte = 1024 * 1024;

/** Bytes that no part of which is like another. */
export const someBytes = (mebibytes: number) => randomBytes(mebibytes * mebibyte);

/** Reaches the addresses of an organization at a port of this machine, where nobody resolves its host. */
class LocalStack extends DefaultHttpStack {
  private readonly port: number;

  constructor(port: number) {
    super({});
    this.port = port;
  }

  override createRequest(method: string, url: string) {
    const { hostname, port, pathname } = new URL(url);
    const local = hostname === '127.0.0.1' ? port : this.port;
    return super.createRequest(method, `http://127.0.0.1:${local}${pathname}`);
  }
}

/** The path of the address that an upload was given. */
export const addressIn = (headers: Record<string, string | string[] | undefined>): string =>
  new URL(String(headers['location'])).pathname;

/** Who uploads, as the client library is told. */
export const optionsOf = (by: Person, port: number, path = '/api/v1/tus'): UploadOptions => ({
  endpoint: `http://127.0.0.1:${port}${path}`,
  headers: { Host: by.realm.host, Authorization: basic(by.email, by.apiKey) },
  httpStack: new LocalStack(port),
  metadata: { filename: 'täa pot.bin', filetype: 'application/x-pot' },
  retryDelays: null,
});

export interface Outcome {
  upload: Upload;
  /** What the last request was answered with. */
  body: Json;
}

/** Uploads with the client library, until it is done. */
export async function upload(
  by: Person,
  content: Buffer,
  { port, path, ...options }: UploadOptions & { port?: number; path?: string } = {},
): Promise<Outcome> {
  const { ports } = await getWorld();
  return await new Promise((resolve, reject) => {
    let last: HttpResponse | undefined;
    const one: Upload = new Upload(content, {
      ...optionsOf(by, port ?? ports.api, path),
      onAfterResponse: (_, response) => {
        last = response;
      },
      onSuccess: () => resolve({ upload: one, body: JSON.parse(last?.getBody() || 'null') }),
      onError: (error) => reject(error),
      ...options,
    });
    one.start();
  });
}

/** Uploads a part, and stops like a program that is closed. Returns the upload's address. */
export async function beginUpload(
  by: Person,
  content: Buffer,
  chunkSize: number,
  path?: string,
): Promise<string> {
  const { ports } = await getWorld();
  return await new Promise((resolve, reject) => {
    const one: Upload = new Upload(content, {
      ...optionsOf(by, ports.api, path),
      chunkSize,
      onChunkComplete: () => {
        void one.abort().then(() => resolve(new URL(one.url ?? '').pathname));
      },
      onError: reject,
    });
    one.start();
  });
}

/** The status and the body of the refusal that an upload meets. */
export async function refusalOf(attempt: Promise<unknown>): Promise<[number | undefined, Json]> {
  const error = await attempt.then(
    () => undefined,
    // Safe: the client library throws nothing else.
    (thrown: unknown) => thrown as DetailedError,
  );
  const response = error?.originalResponse;
  return [response?.getStatus(), JSON.parse(response?.getBody() || 'null')];
}
