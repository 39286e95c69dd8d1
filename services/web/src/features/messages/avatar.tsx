import { Picture } from '../../base/pictures/picture.tsx';
import { userOf } from '../../data/people/names.ts';

/** Somebody's picture. Their name stands beside it. */
export function Avatar({ id }: { id: number }) {
  const user = userOf(id);
  const address = user?.avatar_url;
  if (typeof address !== 'string') return <span class="avatar" aria-hidden="true" />;
  return <Picture class="avatar" src={address} alt="" size={32} name={user?.full_name ?? ''} />;
}
