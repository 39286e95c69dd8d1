import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';

import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

import { type FileStore, checkKey } from './store.ts';

export interface S3Options {
  bucket: string;
  /** The address of an S3 service that is not Amazon's. */
  endpoint?: string | undefined;
  region: string;
  /** Without credentials, the SDK looks for some in its own order: environment, profile, role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Creates a file store in one S3 bucket. */
export function createS3Store({ bucket, endpoint, region, credentials }: S3Options): FileStore {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
    // By default the SDK frames streams with checksums, which servers other than Amazon's store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

  return {
    async put(key, source, contentType) {
      const object = { Bucket: bucket, Key: checkKey(key), ContentType: contentType };
      if (source instanceof Uint8Array) {
        await client.send(new PutObjectCommand({ ...object, Body: source }));
        return;
      }
      // The file is opened before the request is sent, so that a missing file fails here and not in the middle of a
      // request.
      const handle = await open(source.file);
      try {
        const body = handle.createReadStream({ autoClose: false });
        await client.send(new PutObjectCommand({ ...object, Body: body, ContentLength: source.bytes }));
      } finally {
        await handle.close();
      }
    },

    async open(key, range) {
      const object = { Bucket: bucket, Key: checkKey(key) };
      const part = range && { Range: `bytes=${range.start}-${range.end}` };
      const response = await client
        .send(new GetObjectCommand({ ...object, ...part }))
        .catch(undefinedIfMissing);
      if (!response) return undefined;
      const { Body: body, ContentLength: length, ContentRange: contentRange } = response;
      if (!(body instanceof Readable)) throw new Error('S3 answered with a body that is no stream.');
      return { bytes: Number(contentRange?.split('/')[1] ?? length), body };
    },

    async remove(folder) {
      for await (const { Contents } of pagesOf(client, bucket, folder)) {
        for (const { Key } of Contents ?? []) {
          await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
        }
      }
    },

    async *folders(folder) {
      // Not every service groups keys by a delimiter as Amazon's does.
      const names = new Set<string>();
      for await (const { Contents } of pagesOf(client, bucket, folder)) {
        for (const { Key = '' } of Contents ?? []) {
          const name = Key.slice(folder.length + 1).split('/')[0] ?? '';
          if (!names.has(name)) yield name;
          names.add(name);
        }
      }
    },

    async *list(folder) {
      for await (const { Contents } of pagesOf(client, bucket, folder)) {
        for (const { Key: key, Size: bytes = 0, LastModified: storedAt } of Contents ?? []) {
          if (key !== undefined && storedAt) yield { key, bytes, storedAt };
        }
      }
    },
  };
}

/** Lists the objects of a folder. */
async function* pagesOf(client: S3Client, bucket: string, folder: string) {
  const query = { Bucket: bucket, Prefix: `${checkKey(folder)}/` };
  for (let token: string | undefined, isMore = true; isMore;) {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ ...query, ...(token && { ContinuationToken: token }) }),
    );
    yield page;
    token = page.NextContinuationToken;
    isMore = token !== undefined;
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error;
}
