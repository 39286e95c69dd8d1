import { z } from 'zod';

import type { Described, JsonEndpoint } from '../endpoint/endpoint.ts';
import { errorsOf } from '../endpoint/kinds.ts';
import { changesOf } from './changes.ts';
import { errorResponses } from './errors.ts';
import { type JsonSchema, describeSent } from './json-schema.ts';
import { describeParameter, isSentAsJson } from './parameter.ts';

/** What every reply that succeeds has beside its own fields. */
export const envelope = {
  result: z.literal('success'),
  msg: z.literal(''),
  ignored_parameters_unsupported: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Names of parameters that were sent and that the endpoint does not know.'),
};

/** Returns a path as OpenAPI writes it: `/users/{user_id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** Returns an endpoint as an operation of the document. */
export function describeOperation(
  endpoint: JsonEndpoint,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { method, path, summary, since, auth, returns } = endpoint;
  // The state that a registration answers with is as wide as was asked for.
  const body =
    path === '/register'
      ? z.looseObject({ ...envelope, ...returns })
      : z.strictObject({ ...envelope, ...returns });
  const success = {
    description: 'It is done.',
    content: { 'application/json': { schema: describeSent(body, components) } },
  };
  const requestBody = bodyOf(endpoint);
  const known = changesOf(`${method} ${path}`);
  return {
    operationId: idOf(endpoint),
    tags: [path.split('/')[1] ?? ''],
    summary,
    description: descriptionOf(endpoint),
    ...(since !== null && { 'x-feature-level': since }),
    ...(known.length > 0 && { 'x-changes': known.map(({ level, change }) => ({ level, change })) }),
    security: securityOf(auth),
    parameters: parametersOf(endpoint),
    ...(requestBody && { requestBody }),
    responses: { [endpoint.redirects ? '302' : '200']: success, ...errorResponses(errorsOf(endpoint)) },
  };
}

export const idOf = ({ method, path }: Pick<Described, 'method' | 'path'>) =>
  [method.toLowerCase(), ...path.split('/').filter(Boolean)]
    .map((step) => step.replace(':', 'by_').replaceAll(/\W/g, '_'))
    .join('_');

function securityOf(auth: Described['auth']): JsonSchema[] {
  if (auth === 'none') return [];
  if (auth === 'spectator') return [{ apiKey: [] }, {}];
  return auth === 'key' ? [{ apiKey: [] }, { keyInAddress: [] }] : [{ apiKey: [] }];
}

const roleNames = {
  human: 'people, not bots',
  member: 'members and above',
  administrator: 'administrators',
  owner: 'owners',
};

function descriptionOf(endpoint: JsonEndpoint): string {
  const { method, path, since, requires, aliases, forWebhookBots, developmentOnly, hasSlashes } = endpoint;
  const names = Object.entries(aliases).map(([alias, name]) => `\`${alias}\` for \`${name}\``);
  return [
    ...(since === null ? [] : [`New in feature level ${since}.`]),
    ...changesOf(`${method} ${path}`).map(({ level, change }) => `Feature level ${level}: ${change}`),
    ...requires.map((requirement) => `For ${roleNames[requirement]}.`),
    ...(endpoint.auth === 'spectator'
      ? ['Open to everybody where the organization has web-public channels.']
      : []),
    ...(forWebhookBots ? ['Incoming-webhook bots may use it, too.'] : []),
    ...(developmentOnly ? ['Development servers alone have it.'] : []),
    ...(hasSlashes ? ['The last parameter of the path may contain slashes.'] : []),
    ...(names.length > 0 ? [`Other names of parameters: ${names.join(', ')}.`] : []),
  ].join('\n\n');
}

const isInPath = ({ path }: JsonEndpoint, name: string) => path.split('/').includes(`:${name}`);

/** Parameters of the path, and of the query where there is no form. */
function parametersOf(endpoint: JsonEndpoint): JsonSchema[] {
  const { method, takesBody, params } = endpoint;
  const isQuery = method === 'GET' || takesBody;
  return Object.entries(params)
    .filter(([name]) => isQuery || isInPath(endpoint, name))
    .map(([name, parameter]) => {
      const { schema, isRequired } = describeParameter(parameter);
      const place = isInPath(endpoint, name) ? 'path' : 'query';
      return {
        name,
        in: place,
        required: place === 'path' || isRequired,
        ...(isSentAsJson(schema) ? { content: { 'application/json': { schema } } } : { schema }),
      };
    });
}

function bodyOf(endpoint: JsonEndpoint): JsonSchema | undefined {
  const { method, takesBody, upload, params } = endpoint;
  if (takesBody) {
    const schema = { description: 'What the other product sends.' };
    return { required: true, content: { 'application/json': { schema } } };
  }
  const fields = Object.entries(params).filter(([name]) => !isInPath(endpoint, name));
  if (method === 'GET' || (fields.length === 0 && !upload)) return undefined;
  const described = fields.map(([name, parameter]) => [name, describeParameter(parameter)] as const);
  const required = described.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const files = upload
    ? {
        filename: {
          type: 'string',
          contentMediaType: 'application/octet-stream',
          description: `At most ${upload.mebibytesMax} MiB.`,
        },
      }
    : {};
  const schema = {
    type: 'object',
    properties: { ...Object.fromEntries(described.map(([name, { schema: own }]) => [name, own])), ...files },
    ...(required.length > 0 && { required }),
  };
  const encoding = Object.fromEntries(
    described
      .filter(([, { schema: own }]) => isSentAsJson(own))
      .map(([name]) => [name, { contentType: 'application/json' }]),
  );
  const type = upload ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return {
    required: required.length > 0 || upload !== null,
    content: { [type]: { schema, ...(Object.keys(encoding).length > 0 && { encoding }) } },
  };
}
