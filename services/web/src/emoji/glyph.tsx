import type { Emoji } from '@parley/client';

import { part } from '../live/state.ts';
import { lookOf } from './emoji.ts';

import './emoji.css';

/** An emoji, as a picture or a character; its name, where there is neither. Screen readers are told by what is around it. */
export function Glyph({ emoji }: { emoji: Emoji }) {
  part('own');
  const { picture, character } = lookOf(emoji);
  if (picture !== null) return <img class="glyph" src={picture} alt="" />;
  return (
    <span class="glyph" aria-hidden="true">
      {character || `:${emoji.emoji_name}:`}
    </span>
  );
}
