import type { Message } from '@parley/client';

import { toggleReaction } from '../../data/actions/verbs.ts';
import { slice, userSetting } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { isSpectator } from '../../data/session/session.ts';
import { reactionText } from '../../strings/actions.ts';
import { nameText, namesAndMore } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';
import { Glyph, pickEmoji } from '../emoji/index.ts';

import './actions.css';

/** The reactions to a message have names as long as there are no more than these in all. */
const namedMax = 3;

/** Shows the reactions to a message, and who has reacted. Pressing one adds or removes the user's own. */
export function Reactions({ message }: { message: Message }) {
  const groups = new Map<string, Message['reactions']>();
  for (const reaction of message.reactions) {
    const key = `${reaction.reaction_type} ${reaction.emoji_code}`;
    groups.set(key, [...(groups.get(key) ?? []), reaction]);
  }
  if (groups.size === 0) return null;
  return (
    <div class="reactions" role="group" aria-label={reactionText.label}>
      {[...groups].map(([key, reactions]) => (
        <ReactionButton
          key={key}
          message={message}
          reactions={reactions}
          isNamed={message.reactions.length <= namedMax}
        />
      ))}
      {!isSpectator() && (
        <button
          type="button"
          class="reaction"
          aria-label={reactionText.add}
          onClick={({ currentTarget }) => pickEmoji(currentTarget, (emoji) => toggleReaction(message, emoji))}
        >
          +
        </button>
      )}
    </div>
  );
}

interface ReactionProps {
  message: Message;
  /** Those with one emoji. */
  reactions: Message['reactions'];
  /** Whether names stand in the place of a number. */
  isNamed: boolean;
}

function ReactionButton({ message, reactions, isNamed }: ReactionProps) {
  slice('users');
  const ownId = slice('own').user_id;
  const [first] = reactions;
  if (!first) return null;
  const name = first.emoji_name.replaceAll('_', ' ');
  const names = reactions.map(({ user_id }) => (user_id === ownId ? nameText.you : nameOfUser(user_id)));
  const isByName = isNamed && userSetting('display_emoji_reaction_users') === true;
  const who = namesAndMore(names.slice(0, 20), names.length - 20);
  return (
    <button
      type="button"
      class="reaction"
      aria-pressed={reactions.some(({ user_id }) => user_id === ownId)}
      aria-label={isByName ? reactionText.button(name, who) : reactionText.counted(name, who, names.length)}
      title={reactionText.button(`:${first.emoji_name}:`, who)}
      disabled={isSpectator()}
      onClick={() => toggleReaction(message, first)}
    >
      <Glyph emoji={first} /> {isByName ? listNames(names) : names.length}
    </button>
  );
}
