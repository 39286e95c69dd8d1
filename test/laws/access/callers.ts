/** Everyone who may come along: those with the roles have nothing to do with the private channel, the insider is in it. */
export const callers = [
  'insider',
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  /** The owner of another organization, at home. */
  'otherRealm',
  /** The same one, at the door of this organization. */
  'intruder',
  'deactivated',
  'anonymous',
] as const;
export type Caller = (typeof callers)[number];

export const insiders: Caller[] = ['insider'];
export const administrators: Caller[] = ['owner', 'administrator'];
const moderators: Caller[] = [...administrators, 'moderator'];
export const members: Caller[] = [...moderators, 'member', 'insider'];
export const accounts: Caller[] = [...members, 'guest'];
/** Of whatever concerns the caller alone. */
export const anybody: Caller[] = [...accounts, 'otherRealm'];
/** Whose credentials are none here. */
export const nobody: Caller[] = ['intruder', 'deactivated', 'anonymous'];
