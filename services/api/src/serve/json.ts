import { sessionChallenge, silentParameters } from '@parley/http';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { readsZulipNames, withZulipNames } from '@parley/protocol';

import type { RequestContext } from '../endpoint/context.ts';
import { type JsonEndpoint, form } from '../endpoint/endpoint.ts';
import { piecesOf } from '../http/json-text.ts';
import { readParameters } from '../http/parameters.ts';
import type { Reply } from '../http/read-turns.ts';
import { replyInPieces } from '../http/reply-in-pieces.ts';
import { refuse, replyHeaders, replyWith, textOf } from '../http/reply.ts';
import { type ReadRequest, clientName, readRequest } from '../http/request.ts';
import { contextOf } from './context-of.ts';
import type { Serve, ServeDeps } from './deps.ts';
import {
  type Credentials,
  type Visit,
  answer,
  authenticate,
  beginVisit,
  checkRoles,
  findRealm,
  findRealmUnlessRoot,
  recordActivity,
  requesterOf,
  takeFromLimit,
} from './visit.ts';

/** A request as it was read: its parameters, and the names of those that the endpoint does not know. */
interface Input extends Pick<ReadRequest, 'files' | 'delivery'> {
  client: string;
  params: Record<string, unknown>;
  ignored: string[];
}

/** Serves an endpoint of JSON. What all have in common happens here, in the documented order. */
export function serveJson(endpoint: JsonEndpoint, deps: ServeDeps, by: Credentials = 'header'): Serve {
  const names = namesOf(endpoint);
  const find = endpoint.handleAtRoot ? findRealmUnlessRoot : findRealm;
  const challenge = by === 'session' ? sessionChallenge : {};

  return async (c) => {
    const visit = beginVisit(c, deps);
    const steps = async () => {
      await authenticate(visit, endpoint, deps, by);
      await takeFromLimit(visit, deps);
      checkRoles(visit, endpoint.requires);
      await recordActivity(visit, deps);
      await using request = await readRequest(c, requesterOf(visit), endpoint);
      const input = parse(request, endpoint, names, c.req.header('user-agent'));
      visit.line.client = input.client;
      const { realm } = visit;
      if (!realm) return await handleAtRoot(visit, endpoint, input, deps);
      try {
        return await handle(visit, realm, endpoint, input, deps);
      } catch (error) {
        if (!(error instanceof model.users.ActorChanged)) throw error;
        await authenticate(visit, endpoint, deps, by);
        checkRoles(visit, endpoint.requires);
        return await handle(visit, realm, endpoint, input, deps);
      }
    };
    return await answer(
      visit,
      deps,
      { find: async () => void (await find(visit, deps)), steps },
      (error, bugs, headers) =>
        refuse(error, bugs, headers, {
          challenge,
          besides: (code) => endpoint.besides?.(c.req.param(), code) ?? {},
        }),
    );
  };
}

/** What a program may declare with any request. */
const declarations = { zulip_extra_emoji: form.bool().optional() };

/** The names of the parameters that an endpoint knows. */
const namesOf = ({ params, aliases }: JsonEndpoint): ReadonlySet<string> =>
  new Set([...Object.keys({ ...declarations, ...params, ...aliases }), ...silentParameters]);

function parse(
  { sources, names, files, delivery }: ReadRequest,
  endpoint: JsonEndpoint,
  known: ReadonlySet<string>,
  userAgent: string | undefined,
): Input {
  return {
    client: clientName(sources, userAgent),
    params: readParameters({ ...declarations, ...endpoint.params }, sources, endpoint),
    // What calls an address with a key in it is another product, which reads no such list.
    ignored: endpoint.auth === 'key' ? [] : [...names].filter((name) => !known.has(name)).sort(),
    files,
    delivery,
  };
}

/** Runs the endpoint's own handler, and replies. A read waits for the reader's turn, and a search for the searcher's. */
async function handle(
  visit: Visit,
  realm: Realm,
  endpoint: JsonEndpoint,
  input: Input,
  deps: ServeDeps,
): Promise<Response> {
  const context = {
    ...contextOf(visit, realm, input, deps),
    params: input.params,
    ...(endpoint.fromReplicas && { snapshot: snapshotOf(realm, deps) }),
  };
  // Safe: the endpoint's own schemas have read the parameters, and whether there is a caller follows from its `auth`.
  const run = async () =>
    reply(visit, endpoint, input, await endpoint.handle(context as RequestContext<never, never>), deps);
  const { reads } = deps.turns;
  const requester = requesterOf(visit);
  const runInTurn = () => (endpoint.method === 'GET' ? reads.take(requester, run) : run());
  const isSearch = endpoint.searches?.(input.params as never) ?? false;
  // Who waits to search holds no other place meanwhile.
  const { response } = await (isSearch ? reads.search(requester, runInTurn) : runInTurn());
  return response;
}

const snapshotOf =
  ({ id }: Realm, { engine }: ServeDeps): ServeDeps['engine']['snapshot'] =>
  (read) =>
    engine.snapshotOf(id, read);

async function handleAtRoot(
  visit: Visit,
  endpoint: JsonEndpoint,
  input: Input,
  deps: ServeDeps,
): Promise<Response> {
  const handled = await endpoint.handleAtRoot?.({
    client: input.client,
    isDevelopment: deps.isDevelopment,
    params: input.params as never,
    push: deps.push,
    snapshot: (read) => deps.engine.snapshot(read),
  });
  return (await reply(visit, endpoint, input, handled, deps)).response;
}

/** What a handler returns, with empty topics named unless the program says that it can show them. */
function namedFor({ nameTopics }: JsonEndpoint, params: unknown, handled: object): object {
  // Safe: an endpoint that names topics has this parameter.
  const { allow_empty_topic_name } = params as { allow_empty_topic_name?: boolean };
  return nameTopics && allow_empty_topic_name !== true ? nameTopics(handled) : handled;
}

/** The envelope around what a handler returns. */
async function reply(
  { c, headers }: Visit,
  endpoint: JsonEndpoint,
  { ignored, client, params }: Input,
  handled: object | undefined,
  { replyBudget }: ServeDeps,
): Promise<Reply> {
  const body = {
    result: 'success',
    msg: '',
    ...(handled && namedFor(endpoint, params, handled)),
    ...endpoint.besides?.(c.req.param(), null),
    ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }),
  };
  const toJson = readsZulipNames(client, params) ? zulipJson : JSON.stringify;
  const pieces = piecesOf(body, toJson);
  if (pieces) {
    const allHeaders = Object.assign({}, replyHeaders, headers);
    // What others have too costs little.
    const length = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? 0 : piece.ownBytes), 0);
    return { response: await replyInPieces(c, pieces, allHeaders, replyBudget), length };
  }
  const text = textOf(body, toJson);
  const response =
    endpoint.redirects && 'url' in body
      ? replyWith(text, 302, { ...headers, Location: String(body.url) })
      : replyWith(text, 200, headers);
  return { response, length: text.length };
}

const zulipJson = (body: object): string => withZulipNames(JSON.stringify(body));
