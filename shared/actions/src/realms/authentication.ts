import type { tables } from '@parley/db';
import * as model from '@parley/model';
import {
  type AuthenticationMethod,
  type PendingEvent,
  ApiError,
  authenticationMethods,
  events,
  to,
} from '@parley/protocol';

type Row = Pick<typeof tables.realms.$inferSelect, 'authenticationMethods'>;

export interface MethodsChange {
  /** Ways to sign in, by name. */
  methods: Readonly<Record<string, boolean>>;
  /** Those that the server is set up for. */
  available: ReadonlySet<AuthenticationMethod>;
}

/**
 * Returns what a realm's ways to sign in are after a change. There is an event only if one of them is switched on or
 * off.
 *
 * @throws BAD_REQUEST for a way that there is not, or if none would be left
 */
export function changedMethods(
  row: Row,
  change: MethodsChange | undefined,
): { stored: Row['authenticationMethods']; events: PendingEvent[] } {
  if (!change) return { stored: row.authenticationMethods, events: [] };
  const { methods: input, available } = change;
  const names: readonly string[] = authenticationMethods;
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const msg = `There is no authentication method '${unknown}'. These exist: ${names.join(', ')}.`;
    throw new ApiError('BAD_REQUEST', msg);
  }
  const stored = { ...row.authenticationMethods, ...input };
  const after = { authenticationMethods: stored };
  if (model.signIn.enabledMethods(after, available).size === 0) {
    throw new ApiError('BAD_REQUEST', 'Leave at least one authentication method turned on.');
  }
  const state = model.signIn.presentMethods(after, available);
  if (JSON.stringify(state) === JSON.stringify(model.signIn.presentMethods(row, available))) {
    return { stored, events: [] };
  }
  const data = { authentication_methods: state };
  return { stored, events: [to.everyone(events.realm.update_dict({ property: 'default', data }))] };
}
