import { takeBreak } from '@parley/kit';
import { productVersion, versionFields } from '@parley/protocol';

import type { Endpoint } from '../endpoint/kinds.ts';
import { changes } from './changes.ts';
import { describeErrors } from './errors.ts';
import { describeEvents } from './events.ts';
import type { JsonSchema } from './json-schema.ts';
import { describeOperation, templateOf } from './operation.ts';
import { describePoll, describeQueueEnd } from './queue-operations.ts';
import { describeUploadStep } from './tus-operations.ts';

const about = `Everything is asked for below \`/api/v1\` of the organization's address, with HTTP Basic authentication: the email address of the account or bot, and its API key.

Parameters are sent as a form (\`application/x-www-form-urlencoded\`), those of a GET in the query. Texts, numbers and booleans are sent as they are; lists and objects as JSON. Any request may name the calling program (\`client\`), and ask for \`zulip_extra_emoji\` where this document says \`svc_extra_emoji\` (\`zulip_extra_emoji=true\`).

Every reply is JSON with \`result\`. Errors have a \`code\` for programs, and \`msg\` for people.

Events come from a queue: \`POST /register\` makes one, \`GET /events\` waits for what comes.`;

const featureLevels = () => changes.map(({ level, change }) => `- ${level}: ${change}`).join('\n');

/**
 * An endpoint as an operation. The document is about what programs ask below /api/v1: pages, files and what a browser
 * asks with its session alone are no part of it.
 */
function describe(endpoint: Endpoint, schemas: Record<string, JsonSchema>): JsonSchema | undefined {
  if (endpoint.kind === 'tus') return describeUploadStep(endpoint, schemas);
  return endpoint.kind === 'json' && endpoint.auth !== 'session'
    ? describeOperation(endpoint, schemas)
    : undefined;
}

/**
 * Creates the API as an OpenAPI document. It is made from the endpoints, so that it says what they do; piece by piece,
 * so that no request waits for all of it.
 */
export async function createDocument(endpoints: readonly Endpoint[]): Promise<JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  describeErrors(schemas);
  await describeEvents(schemas);
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const operation = describe(endpoint, schemas);
    if (!operation) continue;
    await takeBreak();
    const path = templateOf(endpoint.path);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  const registration = paths['/events']?.['get'] as JsonSchema;
  paths['/events'] = { get: describePoll(registration, schemas), delete: describeQueueEnd(schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: productVersion,
      description: `${about}\n\nFeature level ${versionFields.svc_feature_level}. What earlier levels changed:\n\n${featureLevels()}`,
      'x-feature-level': versionFields.svc_feature_level,
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'basic', description: 'Email address and API key.' },
        keyInAddress: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'For incoming-webhook bots.',
        },
      },
    },
  };
}
