import { type Secrets, commonConfig, readConfig, secretsOf } from '@parley/kit';

import { Refusal } from './refusal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const { DATABASE_URL, REDIS_URL, PARLEY_SECRET, PARLEY_OTHER_SECRET } = commonConfig;
const { BASE_HOST, BASE_URL, ROOT_REALM, FAKE_EMAIL_DOMAIN, LOG_PARTITIONS } = commonConfig;

/** What the command line reads of the environment of the nodes. Without Redis, nodes find changes in Postgres. */
const deploymentConfig = {
  DATABASE_URL,
  REDIS_URL: REDIS_URL.optional(),
  PARLEY_SECRET: PARLEY_SECRET.optional(),
  PARLEY_OTHER_SECRET,
  BASE_HOST,
  BASE_URL,
  ROOT_REALM,
  FAKE_EMAIL_DOMAIN,
  LOG_PARTITIONS,
};

/**
 * Returns the settings of the deployment.
 *
 * @throws Refusal that lists every mistake
 */
export function readEnvironment(env: Environment) {
  try {
    return readConfig(deploymentConfig, env);
  } catch (error) {
    throw new Refusal(
      error instanceof Error ? error.message : String(error),
      'Set them to the same values as the nodes, or run the command while `npm start` runs: its settings are found in .parley/env.',
    );
  }
}

export type Settings = ReturnType<typeof readEnvironment>;

/** Returns the secrets of the nodes, if they are known here. */
export const knownSecrets = ({ PARLEY_SECRET, ...others }: Settings): Secrets | undefined =>
  PARLEY_SECRET === undefined ? undefined : secretsOf({ PARLEY_SECRET, ...others });
