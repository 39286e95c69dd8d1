import type { Message } from '@parley/client';
import { Ellipsis, Reply, Smile, Star } from 'lucide-preact';

import { openMenu } from '../../base/dialogs/menu.tsx';
import { isStarred, reply, toggleReaction, toggleStar } from '../../data/actions/verbs.ts';
import { isSpectator } from '../../data/session/session.ts';
import { actionText } from '../../strings/actions.ts';
import { pickEmoji } from '../emoji/index.ts';
import { itemsOf } from './message-menu.ts';

import './actions.css';

/** Shows buttons for frequent actions on a message, and a menu of all others. */
export function MessageActions({ message }: { message: Message }) {
  if (isSpectator()) return null;
  return (
    <div class="message-actions" role="group" aria-label={actionText.actions}>
      <button
        type="button"
        class="icon-button"
        aria-label={actionText.react}
        onClick={({ currentTarget }) => pickEmoji(currentTarget, (emoji) => toggleReaction(message, emoji))}
      >
        <Smile />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={actionText.star}
        aria-pressed={isStarred(message)}
        onClick={() => toggleStar(message)}
      >
        <Star fill={isStarred(message) ? 'currentColor' : 'none'} />
      </button>
      <button type="button" class="icon-button" aria-label={actionText.reply} onClick={() => reply(message)}>
        <Reply />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={actionText.more}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openMenu(actionText.actions, currentTarget, itemsOf(message))}
      >
        <Ellipsis />
      </button>
    </div>
  );
}
