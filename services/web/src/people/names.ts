import type { State } from '@parley/client';

import { part } from '../live/state.ts';

type User = State['users'] extends Map<number, infer One> ? One : never;

/** An account, whether it is in use or not. */
export const userOf = (id: number): User | undefined =>
  part('users').get(id) ?? part('nonActiveUsers').get(id);

export const nameOfUser = (id: number): string => userOf(id)?.full_name ?? `Somebody (${id})`;

const roleNames: Readonly<Record<number, string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
};

/** The roles by their numbers, from the one with the most rights. */
export const roles = Object.entries(roleNames).map(([role, name]) => [Number(role), name] as const);

export const nameOfRole = (role: number): string => roleNames[role] ?? 'Member';
