import { z } from 'zod';

/** Configuration variables of every service that searches, or feeds what is searched. */
export const searchConfig = {
  SEARCH_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => URL.canParse(url) && new URL(url).username === '',
      'has to name nobody: SEARCH_USER does',
    )
    .optional()
    .describe('URL of an OpenSearch or Elasticsearch. Without it, Postgres alone is searched.'),
  SEARCH_USER: z.string().default('').describe('User at SEARCH_URL, if it asks for one.'),
  SEARCH_PASSWORD: z.string().default('').describe('Password of SEARCH_USER.'),
  SEARCH_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,50}$/, 'has to be lower-case letters, digits, - and _')
    .default('parley-')
    .describe(
      'Beginning of the names of indexes at SEARCH_URL. Deployments that share one need different ones.',
    ),
};

/** Where the engine is, and as whom it is asked. */
export interface SearchOptions {
  url: string;
  user: string;
  password: string;
  prefix: string;
}

/** Returns the engine that the environment names; null if there is none. */
export const searchOptions = (config: z.output<z.ZodObject<typeof searchConfig>>): SearchOptions | null =>
  config.SEARCH_URL === undefined
    ? null
    : {
        url: config.SEARCH_URL,
        user: config.SEARCH_USER,
        password: config.SEARCH_PASSWORD,
        prefix: config.SEARCH_PREFIX,
      };
