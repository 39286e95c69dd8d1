import { type Form, readForm, silentParameters } from '@parley/http';
import { ApiError, capabilityNames } from '@parley/protocol';

/** The parameters of GET and DELETE /events as they came. */
export interface EventsParameters {
  queueId: string | null;
  lastEventId: string | null;
  dontBlock: string | null;
  /** Names that this endpoint does not know, sorted. */
  ignored: readonly string[];
}

/** Parameters of a registration: clients send them with each poll as well, and none is reported as unknown. */
const silent: ReadonlySet<string> = new Set([
  ...silentParameters,
  ...capabilityNames,
  'event_types',
  'narrow',
  'client_gravatar',
  'slim_presence',
  'apply_markdown',
  'all_public_streams',
  'include_subscribers',
  'client_capabilities',
  'fetch_event_types',
  'presence_history_limit_days',
  'lifespan_secs',
  'queue_lifespan_secs',
]);

const ownNames: ReadonlySet<string> = new Set(['queue_id', 'last_event_id', 'dont_block']);
const none: readonly string[] = [];

export const missingQueueId = () =>
  new ApiError('REQUEST_VARIABLE_MISSING', "The parameter 'queue_id' is missing.", { var_name: 'queue_id' });

/** Reads a query string. Plain ones, as nearly all are, are read without the full parser, with the same result. */
export function readEventsQuery(query: string): EventsParameters {
  const parameters: EventsParameters = { queueId: null, lastEventId: null, dontBlock: null, ignored: none };
  for (let start = 0; start < query.length;) {
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    const equals = query.indexOf('=', start);
    if (equals === -1 || equals > end) return readEventsForm(readForm(query));
    const name = query.slice(start, equals);
    const value = query.slice(equals + 1, end);
    if (value.includes('%') || value.includes('+')) return readEventsForm(readForm(query));
    if (name === 'queue_id') parameters.queueId ??= value;
    else if (name === 'last_event_id') parameters.lastEventId ??= value;
    else if (name === 'dont_block') parameters.dontBlock ??= value;
    else if (!silent.has(name)) return readEventsForm(readForm(query));
    start = end + 1;
  }
  return parameters;
}

export function readEventsForm(form: Form): EventsParameters {
  const ignored = [...new Set(form.keys())].filter((name) => !ownNames.has(name) && !silent.has(name));
  return {
    queueId: form.get('queue_id'),
    lastEventId: form.get('last_event_id'),
    dontBlock: form.get('dont_block'),
    ignored: ignored.sort(),
  };
}

const integer = /^-?(?:0|[1-9]\d*)$/;

/** Parses a JSON integer. Without one, the client has acknowledged nothing yet: -1. */
export function parseLastEventId(text: string | null): number {
  if (text === null) return -1;
  if (!integer.test(text)) throw badParameter('last_event_id', text, 'an integer');
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new ApiError('BAD_REQUEST', 'last_event_id is too large.');
  return id;
}

/** Parses a JSON boolean, false by default. */
export function parseDontBlock(text: string | null): boolean {
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw badParameter('dont_block', text, 'true or false');
}

function badParameter(name: string, text: string, expected: string): ApiError {
  try {
    JSON.parse(text);
  } catch {
    return new ApiError('BAD_REQUEST', `${name} must be JSON.`);
  }
  return new ApiError('BAD_REQUEST', `${name} must be ${expected}.`);
}
