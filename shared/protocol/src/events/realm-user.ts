import { User } from '../objects/user.ts';
import { eventFamily } from './family.ts';

/** A user appeared. Sent to everyone in the realm who may see them. */
export const realmUser = eventFamily('realm_user', {
  add: { person: User },
});
