import { join } from 'node:path';

import { commonConfig, mailConfig } from '@parley/kit';

import type { ClusterBackends } from './cluster-backends.ts';
import { replaceFile } from './replace-file.ts';

/** The domain of all addresses of the demo organization: those of its people, and those that are made up. */
export const emailDomain = 'demo.example';

/** The address of a cluster, wherever one is shown or sent. */
export const publicUrl = (port: number) => `http://127.0.0.1:${port}`;

/** The settings of the nodes that follow from their cluster. */
export const clusterSettings = (
  dir: string,
  { databaseUrl, replicaUrls = [], redisUrl, secret }: ClusterBackends,
  publicPort: number,
): Record<string, string> => ({
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  ...(replicaUrls.length > 0 && { DATABASE_REPLICAS: replicaUrls.join(' ') }),
  REDIS_URL: redisUrl,
  PARLEY_SECRET: secret,
  BASE_HOST: 'localhost',
  BASE_URL: publicUrl(publicPort),
  FAKE_EMAIL_DOMAIN: emailDomain,
  ROOT_REALM: 'demo',
  DEVELOPMENT: '1',
  LOG_LEVEL: 'info',
  UPLOADS_DIR: join(dir, 'uploads'),
  MAIL_DIR: join(dir, 'mail'),
});

const { PORT: _, ...common } = commonConfig;
const named = Object.keys({ ...common, ...mailConfig });

/**
 * Writes what the nodes' environment says of the deployment, for programs that work beside them: a line `NAME='value'`
 * for each variable, which shells and Node read.
 */
export function writeEnvironment(path: string, settings: NodeJS.ProcessEnv): void {
  const ofDeployment = Object.entries(settings).filter(
    ([name, value]) => value && (named.includes(name) || /^(?:S3_|UPLOADS_)/.test(name)),
  );
  const quote = (value: string) => (value.includes("'") ? `"${value}"` : `'${value}'`);
  replaceFile(path, ofDeployment.map(([name, value = '']) => `${name}=${quote(value)}\n`).join(''));
}
