import type { Suggestion } from '../../base/options/suggestion.ts';
import { hueOf } from '../../base/pictures/hue.ts';
import type { User } from './names.ts';

/** What stands before the name of somebody who is suggested. */
export const pictureOf = ({ user_id, full_name, avatar_url }: User): Suggestion['person'] => ({
  src: avatar_url ?? '',
  name: full_name,
  hue: hueOf(user_id),
});
