import type { Role, Roles, State } from '@parley/client';

import { nameText, roleText } from '../../strings/common.ts';
import { own, slice } from '../live/state.ts';

export type User = State['users'] extends Map<number, infer One> ? One : never;

/** An account, whether it is in use or not, or one of the server's own bots. */
export function userOf(id: number): User | undefined {
  const bots = own('cross_realm_bots') as User[];
  return slice('users').get(id) ?? slice('nonActiveUsers').get(id) ?? bots.find((bot) => bot.user_id === id);
}

export const nameOfUser = (id: number): string => userOf(id)?.full_name ?? nameText.user(id);

/** The same in a state as it is at a moment. */
export const nameIn = ({ users, nonActiveUsers }: State, id: number): string =>
  (users.get(id) ?? nonActiveUsers.get(id))?.full_name ?? nameText.user(id);

/** The numbers of roles. */
export const roles: Roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 };

/** The roles by their numbers, from the one with the most rights. */
export const namedRoles = Object.entries(roleText).map(
  ([role, name]) => [Number(role) as Role, name] as const,
);

export const nameOfRole = (role: number): string => namedRoles.find(([one]) => one === role)?.[1] ?? '';
