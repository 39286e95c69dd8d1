import type { ErrorCode } from '@parley/protocol';
import { z } from 'zod';

import { changesOf } from './changes.ts';
import { errorResponses } from './errors.ts';
import { type JsonSchema, describeSent, refTo } from './json-schema.ts';
import { envelope } from './operation.ts';

const codes: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'BAD_EVENT_QUEUE_ID',
  'UNAUTHENTICATED_USER',
  'UNAUTHORIZED',
  'RATE_LIMIT_HIT',
  'SERVER_NOT_READY',
  'NONEXISTENT_SUBDOMAIN',
];

const about = `It is answered at once if there are events after \`last_event_id\`, otherwise when one comes, or with a heartbeat after about a minute. The next call sends the id of the last event that was received: nothing is lost if a reply is. With \`BAD_EVENT_QUEUE_ID\`, register another queue.`;

/** Describes how one waits for events. Queue nodes serve that; API nodes know the registration without a queue id. */
export function describePoll(registration: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const shape = {
    ...envelope,
    queue_id: z.string(),
    events: z.array(z.any()),
    last_event_id: z.int().optional(),
  };
  const received = describeSent(z.strictObject(shape), components);
  // Safe: it is the object that was described.
  const properties = received['properties'] as JsonSchema;
  const schema = {
    ...received,
    properties: { ...properties, events: { type: 'array', items: refTo('Event') } },
  };
  const known = changesOf('GET /events').map(({ level, change }) => ({ level, change }));
  return {
    ...registration,
    description: [about, ...known.map(({ level, change }) => `Feature level ${level}: ${change}`)].join(
      '\n\n',
    ),
    'x-changes': known,
    responses: {
      '200': { description: 'Events, in order.', content: { 'application/json': { schema } } },
      ...errorResponses(codes),
    },
  };
}

/** Describes how a queue is ended. */
export function describeQueueEnd(components: Record<string, JsonSchema>): JsonSchema {
  const schema = describeSent(z.strictObject(envelope), components);
  const form = { type: 'object', properties: { queue_id: { type: 'string' } }, required: ['queue_id'] };
  return {
    operationId: 'delete_events',
    tags: ['events'],
    summary: 'Ends a queue.',
    security: [{ apiKey: [] }],
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: form } } },
    responses: {
      '200': { description: 'The queue has ended.', content: { 'application/json': { schema } } },
      ...errorResponses(codes),
    },
  };
}
