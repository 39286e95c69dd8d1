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

/** Clients send along on each poll what they registered with. */
const quietly: ReadonlySet<string> = new Set([
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

const none: readonly string[] = [];

/** Reads a query string: at once when it is plain, as nearly all are, else through the full reader. */
export function readEventsQuery(query: string): EventsParameters {
  const read: EventsParameters = { queueId: null, lastEventId: null, dontBlock: null, ignored: none };
  for (let start = 0; start < query.length;) {
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    const equals = query.indexOf('=', start);
    if (equals === -1 || equals > end) return readEventsForm(readForm(query));
    const name = query.slice(start, equals);
    const value = query.slice(equals + 1, end);
    if (value.includes('%') || value.includes('+')) return readEventsForm(readForm(query));
    if (name === 'queue_id') read.queueId ??= value;
    else if (name === 'last_event_id') read.lastEventId ??= value;
    else if (name === 'dont_block') read.dontBlock ??= value;
    else if (!quietly.has(name)) return readEventsForm(readForm(query));
    start = end + 1;
  }
  return read;
}

export function readEventsForm(form: Form): EventsParameters {
  const known = ['queue_id', 'last_event_id', 'dont_block'];
  const unknown = [...new Set(form.keys())].filter((name) => !known.includes(name) && !quietly.has(name));
  return {
    queueId: form.get('queue_id'),
    lastEventId: form.get('last_event_id'),
    dontBlock: form.get('dont_block'),
    ignored: unknown.sort(),
  };
}

const integer = /^-?(?:0|[1-9]\d*)$/;

/** Absent means: nothing acknowledged yet. */
export function parseLastEventId(text: string | null): number {
  if (text === null) return -1;
  if (!integer.test(text)) throw badParameter('last_event_id', text, 'an integer');
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new ApiError('BAD_REQUEST', 'last_event_id is too large');
  return id;
}

export function parseDontBlock(text: string | null): boolean {
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw badParameter('dont_block', text, 'a boolean');
}

function badParameter(name: string, text: string, wanted: string): ApiError {
  try {
    JSON.parse(text);
  } catch {
    return new ApiError('BAD_REQUEST', `${name} is not valid JSON`);
  }
  return new ApiError('BAD_REQUEST', `${name} is not ${wanted}`);
}
