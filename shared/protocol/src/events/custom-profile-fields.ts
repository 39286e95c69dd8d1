import { z } from 'zod';

import { ProfileField } from '../objects/profile-field.ts';
import { event } from './family.ts';

/** All profile fields of the organization in order, after any change. Sent to everyone in the realm. */
export const customProfileFields = event('custom_profile_fields', { fields: z.array(ProfileField) });
