import type { roles } from '@parley/protocol';

/** The numbers of the roles on the wire, by their names. */
export type Roles = typeof roles;
