import type { Message } from '@parley/client';
import { Ellipsis, Reply, Smile, Star } from 'lucide-preact';

import { pickEmoji } from '../emoji/pick.tsx';
import { isSpectator } from '../session/session.ts';
import { openMenu } from './menu.tsx';
import { itemsOf } from './message-menu.ts';
import { isStarred, reply, toggleReaction, toggleStar } from './verbs.ts';

import './actions.css';

/** What is done most with a message, and a menu of everything else. */
export function MessageActions({ message }: { message: Message }) {
  if (isSpectator()) return null;
  return (
    <div class="message-actions" role="group" aria-label="Actions">
      <button
        type="button"
        class="icon-button"
        aria-label="React"
        onClick={() => pickEmoji((emoji) => toggleReaction(message, emoji))}
      >
        <Smile />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Star"
        aria-pressed={isStarred(message)}
        onClick={() => toggleStar(message)}
      >
        <Star fill={isStarred(message) ? 'currentColor' : 'none'} />
      </button>
      <button type="button" class="icon-button" aria-label="Reply" onClick={() => reply(message)}>
        <Reply />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="More"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openMenu('Actions', currentTarget, itemsOf(message))}
      >
        <Ellipsis />
      </button>
    </div>
  );
}
