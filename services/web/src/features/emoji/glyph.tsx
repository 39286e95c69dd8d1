import type { Emoji } from '@parley/client';

import { emojiSet } from '../../data/emoji/emoji-set.ts';
import { appearanceOf } from '../../data/emoji/emoji.ts';
import { slice } from '../../data/live/state.ts';

import './emoji.css';

/**
 * An emoji, as a picture or a character; its name, where there is neither. What is around it names it to screen
 * readers.
 */
export function Glyph({ emoji }: { emoji: Emoji }) {
  slice('own');
  const { picture, character } = appearanceOf(emoji);
  const isText = emojiSet() === 'text' && emoji.reaction_type === 'unicode_emoji';
  if (picture !== null) return <img class="glyph" src={picture} alt="" />;
  return (
    <span class="glyph" aria-hidden="true">
      {(!isText && character) || `:${emoji.emoji_name}:`}
    </span>
  );
}
