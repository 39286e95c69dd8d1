import { z } from 'zod';

import { UserStatus } from '../objects/user-status.ts';
import { event } from './family.ts';

/** A user's status changed: what changed, empty where it was cleared. Sent to everyone who sees the user. */
export const userStatus = event('user_status', { user_id: z.int(), ...UserStatus.shape });
