import type { Emoji } from '@parley/client';

import { slice } from '../../data/live/state.ts';
import { Glyph } from '../emoji/index.ts';

/** The emoji of somebody's status, if they have one. */
export function StatusEmoji({ userId }: { userId: number }) {
  const { emoji_code, emoji_name, reaction_type, status_text } = slice('statuses').get(userId) ?? {};
  if (!emoji_code || !emoji_name) return null;
  const title = status_text || emoji_name;
  const emoji = { emoji_code, emoji_name, reaction_type: reaction_type as Emoji['reaction_type'] };
  return (
    <span role="img" aria-label={title} title={title}>
      <Glyph emoji={emoji} />
    </span>
  );
}
