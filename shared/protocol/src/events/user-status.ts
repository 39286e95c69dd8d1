import { z } from 'zod';

import { UserStatus } from '../objects/user-status.ts';
import { event } from './family.ts';

/**
 * A user's status changed. Only changed fields are present, empty if they were cleared. Sent to everyone who has
 * access to the user.
 */
export const userStatus = event('user_status', { user_id: z.int(), ...UserStatus.shape });
