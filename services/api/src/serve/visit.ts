import * as actions from '@parley/actions';
import { type Caller as Requester, processDemand } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { budgetHeaders } from '@parley/redis';
import type { Context } from 'hono';

import { addressCosts } from '../auth/address-costs.ts';
import { RealmRenamed, redirectHeaders } from '../auth/find-realm.ts';
import {
  type Audience,
  type Caller,
  identifyByHeader,
  identifyBySession,
  identifyReader,
} from '../auth/identify.ts';
import { type Requirement, assertRequirements } from '../auth/requirements.ts';
import { type BugLog, type RequestLine, bugsOf, requestLine } from '../http/observe-requests.ts';
import type { ServeDeps } from './deps.ts';
import { languageOfRefusal, translateRefusal } from './translate-refusal.ts';

/** A request on its way through the steps, and what they have found out about it. */
export interface Visit {
  readonly c: Context;
  /** Where it comes from. */
  readonly address: string;
  /** Its line of log. */
  readonly line: RequestLine;
  /** The organization that it is for; null before it is found, and at a host that is no organization's. */
  realm: Realm | null;
  /** Whoever asks; null before that is known, and where nobody is asked for credentials. */
  caller: Caller | null;
  /** Whoever asks wants something until this is called; null before they are known. */
  endDemand: (() => void) | null;
  /** What every reply carries from here on, a refusal as well. */
  headers: Record<string, string>;
}

export const beginVisit = (c: Context, { callers }: ServeDeps): Visit => ({
  c,
  address: callers.addressOf(c),
  line: requestLine(c),
  realm: null,
  caller: null,
  headers: {},
  endDemand: null,
});

/**
 * Finds the organization.
 *
 * @throws NONEXISTENT_SUBDOMAIN at a host that is no organization's
 * @throws RATE_LIMIT_HIT for an address that asks too often at such hosts
 */
export async function findRealm(visit: Visit, deps: ServeDeps): Promise<Realm> {
  const realm = await counted(visit, deps, deps.callers.realms.find(visit.c.req.header('host')));
  visit.line.realm = realm.name;
  visit.realm = realm;
  return realm;
}

/** Finds the organization, if the host is not the bare one of a server of many. */
export async function findRealmUnlessRoot(visit: Visit, deps: ServeDeps): Promise<void> {
  const { realms } = deps.callers;
  visit.realm = await counted(visit, deps, realms.findUnlessRoot(visit.c.req.header('host')));
  visit.line.realm = visit.realm?.name;
}

/** Counts a search for an organization that fails, since none of the later steps will. */
const counted = <Found>(visit: Visit, deps: ServeDeps, found: Promise<Found>): Promise<Found> =>
  found.catch(async (error: unknown) => {
    if (error instanceof ApiError) await takeFromLimit(visit, deps);
    throw error;
  });

/** How a request says who asks: by a header, or by the session of a browser. */
export type Credentials = 'header' | 'session';

export async function authenticate(
  visit: Visit,
  audience: Audience,
  deps: ServeDeps,
  by: Credentials = 'header',
): Promise<void> {
  const { c, realm } = visit;
  if (!realm || audience.auth === 'none') return;
  if (audience.auth === 'optional') visit.caller = await identifyReader(c, realm, deps);
  else if (by === 'session') visit.caller = await identifyBySession(c, audience, realm, deps);
  else visit.caller = await identifyByHeader(c, audience, realm, deps);
  if (visit.caller) visit.line.user = visit.caller.actor.id;
}

/**
 * Takes a request from a budget, of which there is one for requests and one for files.
 *
 * @throws RATE_LIMIT_HIT when the account, or the address of whoever has none, asks too much
 */
export async function takeFromLimit(
  visit: Visit,
  { limits, clock }: ServeDeps,
  of: 'requests' | 'files' = 'requests',
): Promise<void> {
  const { byUser, byAddress } = limits[of];
  const requester = requesterOf(visit);
  visit.endDemand ??= processDemand.begin(requester);
  const budget =
    typeof requester.key === 'number'
      ? await byUser.take(String(requester.key))
      : await byAddress.take(visit.address, addressCosts.request);
  const cookie = visit.caller?.cookie;
  visit.headers = {
    ...budgetHeaders(budget, clock.nowMs()),
    ...(cookie === undefined ? {} : { 'Set-Cookie': cookie }),
  };
}

/** Adds to a reply what every reply to its request carries. */
export function carry({ headers }: Visit, response: Response): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** @throws BAD_REQUEST, UNAUTHORIZED_PRINCIPAL for whoever has not the roles that the endpoint requires */
export function checkRoles({ caller }: Visit, required: readonly Requirement[]): void {
  if (caller) assertRequirements(caller.actor, required);
}

/** Records that whoever calls is active, at the first call of a day. */
export async function recordActivity({ caller }: Visit, { engine, clock }: ServeDeps): Promise<void> {
  if (!caller || model.realms.isSpectator(caller.actor)) return;
  const { actor } = caller;
  const nowMs = clock.nowMs();
  if (!actions.presence.isFirstActivity(actor, nowMs)) return;
  await engine.writeWithoutLog(actor.realm.id, actions.presence.recordActivity, { actor, nowMs });
}

/** Returns whose turn and whose rate limit a request takes: an account's, by its id, or else an address's. */
export function requesterOf({ caller, address, realm }: Visit): Requester {
  const hasAccount = caller && !model.realms.isSpectator(caller.actor);
  return { key: hasAccount ? caller.actor.id : address, ...(realm && { organization: realm.id }) };
}

/** Says what a request is answered that was refused, or met a bug. */
type Refuse = (error: unknown, bugs: BugLog, headers: Record<string, string>) => Response | Promise<Response>;

/** The steps of a request: the first finds the organization, if there is one. */
interface Steps<Found> {
  readonly find: () => Promise<Found>;
  readonly steps: (found: Found) => Promise<Response>;
}

/** Runs the steps of a request, and answers what they refuse. Postgres is told that somebody waits. */
export async function answer<Found>(
  visit: Visit,
  deps: ServeDeps,
  { find, steps: stepsOfRealm }: Steps<Found>,
  refuse: Refuse,
): Promise<Response> {
  const steps = async () => {
    const found = await find();
    const { realm } = visit;
    return realm
      ? await deps.engine.servers.whileAnswering(realm.id, () => stepsOfRealm(found))
      : await stepsOfRealm(found);
  };
  const stepsAgain = (error: unknown) => {
    if (!(error instanceof RealmRenamed)) throw error;
    deps.callers.realms.forget(error.realm);
    return steps();
  };
  return await deps.engine
    .whileAnswering(() => steps().catch(stepsAgain))
    .catch(async (error: unknown) => {
      const { c, line, headers } = visit;
      if (error instanceof ApiError) line.code = error.code;
      const said = await translateRefusal(error, languageOfRefusal(visit));
      return refuse(said, bugsOf(c, deps.logger), { ...headers, ...redirectHeaders(error, c.req.url) });
    })
    .finally(() => visit.endDemand?.());
}
