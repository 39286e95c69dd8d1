import { z } from 'zod';

import { createDiskStore } from './disk.ts';
import type { FileStore } from './store.ts';

/** Configuration variables of every service that stores or removes files. */
export const filesConfig = {
  UPLOADS_DIR: z.string().min(1).default('uploads').describe('Folder for uploads. All nodes share it.'),
  S3_BUCKET: z.string().min(1).optional().describe('S3 bucket for uploads, instead of UPLOADS_DIR.'),
  S3_ENDPOINT: z.url().optional().describe('URL of the S3 service, if it is not Amazon’s.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Access key of the bucket. Without it, the SDK searches its usual places.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of S3_ACCESS_KEY_ID.'),
};

type FilesConfig = z.output<z.ZodObject<typeof filesConfig>>;

/**
 * Creates the file store that the configuration selects: a bucket if S3_BUCKET is set, otherwise a folder. The SDK for
 * buckets is loaded only where there is one.
 */
export async function createFileStore(config: FilesConfig): Promise<FileStore> {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = config;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (bucket === undefined) return createDiskStore(config.UPLOADS_DIR);
  const { createS3Store } = await import('./s3.ts');
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return createS3Store({ bucket, endpoint, region, credentials });
}
