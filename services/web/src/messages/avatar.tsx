import { part } from '../live/state.ts';

/** Somebody's picture. Their name stands beside it. */
export function Avatar({ id }: { id: number }) {
  const user = part('users').get(id) ?? part('nonActiveUsers').get(id);
  const address = user?.avatar_url;
  if (typeof address !== 'string') return <span class="avatar" aria-hidden="true" />;
  return <img class="avatar" src={address} alt="" width="32" height="32" loading="lazy" />;
}
