import { type ErrorCode, errorFields, errorStatus } from '@parley/protocol';
import { z } from 'zod';

import { type JsonSchema, describeSent, describeTaken, refTo } from './json-schema.ts';

/** What each code says, for the authors of clients. */
const meanings: Record<ErrorCode, string> = {
  BAD_REQUEST:
    'The request is refused for the reason that `msg` gives; with status 404, what it names does not exist.',
  REQUEST_VARIABLE_MISSING: 'A required parameter was not sent.',
  REQUEST_VARIABLE_INVALID: 'A parameter has a value that it cannot have.',
  REQUEST_CONFUSING_VAR: 'A parameter was sent under two of its names.',
  STREAM_DOES_NOT_EXIST: 'There is no such channel, or none that the caller may see.',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'The caller may not mention everyone in a channel of this size.',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED:
    'The caller may not mention everyone in a topic with so many participants.',
  CHANNEL_ALREADY_EXISTS: 'Another channel has the name.',
  INVALID_JSON: 'The body is not JSON.',
  ANOMALOUS_WEBHOOK_PAYLOAD: 'The payload is not of the form that the product sends.',
  MISSING_HTTP_EVENT_HEADER: 'The header that names the event is missing.',
  BAD_NARROW: 'The narrow has an operator or an operand that does not exist.',
  BAD_EVENT_QUEUE_ID: 'The queue has ended, or cannot serve the position: register another.',
  REACTION_ALREADY_EXISTS: 'The caller has reacted to the message with this emoji.',
  REACTION_DOES_NOT_EXIST: 'The caller has not reacted to the message with this emoji.',
  UNAUTHORIZED_PRINCIPAL: "The caller's role does not allow it.",
  EXPECTATION_MISMATCH: 'The value is not the one that the caller expected it to be.',
  CANNOT_DEACTIVATE_GROUP_IN_USE: 'Permissions or other groups name the group.',
  CANNOT_DEACTIVATE_LAST_USER: 'The organization would be left without an owner.',
  INVITATION_FAILED: 'Some or all of the addresses were not invited.',
  SYSTEM_GROUP_REQUIRED: 'The permission takes groups that stand for roles only.',
  INVALID_PUSH_DEVICE_TOKEN: 'The token is none of a registered device.',
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: 'The service that carries notifications does not know the token.',
  NO_ACTIVE_PUSH_DEVICE: 'You have no device for encrypted notifications.',
  PUSH_SERVICE_NOT_CONFIGURED: 'The server does not send encrypted notifications.',
  BAD_IMAGE: 'The file is no picture that the server reads.',
  REALM_UPLOAD_QUOTA: 'The uploads of the organization have reached their quota.',
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 'Some messages of the topic are too old to be moved by the caller.',
  UNAUTHORIZED: 'The credentials are wrong, or their account or organization is deactivated.',
  UNAUTHENTICATED_USER: 'Credentials are needed.',
  INVALID_API_KEY: 'No account that may use it here has the API key.',
  AUTHENTICATION_FAILED: 'The username or the password is wrong.',
  PASSWORD_AUTH_DISABLED: 'Nobody logs in to the organization with a password.',
  USER_DEACTIVATED: 'The account is deactivated.',
  REALM_DEACTIVATED: 'The organization is deactivated.',
  CSRF_FAILED: 'The request came with a session, and no page of this site sent it.',
  ADMIN_ACTION_REQUIRED: 'Whoever runs the server has to set something up first.',
  NOT_FOUND: 'There is nothing at the address.',
  NONEXISTENT_SUBDOMAIN: 'No organization is at the address; with status 308, it has moved.',
  RATE_LIMIT_HIT: 'Too many requests: wait for as long as `retry-after` and the header say.',
  FAILED_TO_CONNECT_BOUNCER: 'The service that carries notifications cannot be reached.',
  INTERNAL_SERVER_ERROR_ON_BOUNCER: 'The service that carries notifications has failed.',
  SERVER_NOT_READY: 'The server is starting, ending, or waits for what it depends on: try again.',
};

const nameOf = (code: ErrorCode) => `Error_${code}`;

/** Returns a schema for each code. `msg` is for people; programs go by `code` and the fields beside it. */
export function describeErrors(components: Record<string, JsonSchema>): void {
  for (const code of Object.keys(errorStatus) as ErrorCode[]) {
    const envelope = z.looseObject({
      result: z.literal('error'),
      msg: z.string(),
      code: z.literal(code),
    });
    const fields = code in errorFields ? errorFields[code as keyof typeof errorFields] : undefined;
    const schema = describeSent(envelope, components);
    components[nameOf(code)] = {
      description: meanings[code],
      ...(fields ? { allOf: [schema, describeTaken(fields)] } : schema),
    };
  }
}

/** The statuses that a code comes with: a bad request may be one for something that does not exist. */
function statusesOf(code: ErrorCode): number[] {
  if (code === 'BAD_REQUEST') return [400, 404];
  // The organization may have another address.
  return code === 'NONEXISTENT_SUBDOMAIN' ? [404, 308] : [errorStatus[code]];
}

/** Returns the responses of an endpoint to requests that it refuses. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, own]) => [
        String(status),
        {
          description: own.map((code) => `\`${code}\``).join(', '),
          content: { 'application/json': { schema: oneOfCodes(own) } },
        },
      ]),
  );
}

function oneOfCodes(codes: readonly ErrorCode[]): JsonSchema {
  const [only] = codes;
  if (only && codes.length === 1) return refTo(nameOf(only));
  return {
    oneOf: codes.map((code) => refTo(nameOf(code))),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code) => [code, refTo(nameOf(code))['$ref']])),
    },
  };
}
