import { hueOf } from '../../base/pictures/hue.ts';
import { Picture } from '../../base/pictures/picture.tsx';
import { userOf } from '../../data/people/names.ts';
import { PresenceDot } from './presence-dot.tsx';

import './avatars.css';

interface AvatarProps {
  id: number;
  /** In pixels: 36 beside messages, 20 in lists. */
  size?: 20 | 28 | 36 | 72;
  /** Whether a dot at its corner says if they are there. */
  hasPresence?: boolean;
}

/** Somebody's picture, or their initials. Their name stands beside it. */
export function Avatar({ id, size = 36, hasPresence = false }: AvatarProps) {
  const user = userOf(id);
  const address = user?.avatar_url;
  const picture = (
    <Picture
      class={`avatar avatar-${size}`}
      src={typeof address === 'string' ? address : ''}
      alt=""
      size={size}
      name={user?.full_name ?? ''}
      hue={hueOf(id)}
    />
  );
  if (!hasPresence) return picture;
  return (
    <span class="avatar-holder">
      {picture}
      <PresenceDot userId={id} />
    </span>
  );
}
