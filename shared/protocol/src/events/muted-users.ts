import { z } from 'zod';

import { event } from './family.ts';

const MutedUser = z.strictObject({ id: z.int(), timestamp: z.int() });

/** All users whom a user has muted, after any change. Sent to that user's own clients. */
export const mutedUsers = event('muted_users', { muted_users: z.array(MutedUser) });
