import type { Message } from '@parley/client';

import { Glyph } from '../emoji/glyph.tsx';
import { pickEmoji } from '../emoji/pick.tsx';
import { part } from '../live/state.ts';
import { isSpectator } from '../session/session.ts';
import { toggleReaction } from './verbs.ts';

import './actions.css';

/** How many names a reaction says. */
const namesMax = 3;

/** The reactions to a message, with who has reacted. Pressing one adds the reader's, or takes it back. */
export function Reactions({ message }: { message: Message }) {
  const groups = new Map<string, Message['reactions']>();
  for (const reaction of message.reactions) {
    const key = `${reaction.reaction_type} ${reaction.emoji_code}`;
    groups.set(key, [...(groups.get(key) ?? []), reaction]);
  }
  if (groups.size === 0) return null;
  return (
    <div class="reactions" role="group" aria-label="Reactions">
      {[...groups].map(([key, reactions]) => (
        <ReactionButton key={key} message={message} reactions={reactions} />
      ))}
      {!isSpectator() && (
        <button
          type="button"
          class="reaction"
          aria-label="Another reaction"
          onClick={() => pickEmoji((emoji) => toggleReaction(message, emoji))}
        >
          +
        </button>
      )}
    </div>
  );
}

function ReactionButton({ message, reactions }: { message: Message; reactions: Message['reactions'] }) {
  const users = part('users');
  const ownId = part('own').user_id;
  const [first] = reactions;
  if (!first) return null;
  const names = reactions.map(({ user_id }) =>
    user_id === ownId ? 'You' : (users.get(user_id)?.full_name ?? 'somebody'),
  );
  const who =
    names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ');
  return (
    <button
      type="button"
      class="reaction"
      aria-pressed={names.includes('You')}
      aria-label={`${first.emoji_name.replaceAll('_', ' ')}: ${who}`}
      title={`:${first.emoji_name}: ${who}`}
      disabled={isSpectator()}
      onClick={() => toggleReaction(message, first)}
    >
      <Glyph emoji={first} />{' '}
      {users.size > 0 &&
      part('own').user_settings['display_emoji_reaction_users'] === true &&
      names.length <= namesMax
        ? names.join(', ')
        : names.length}
    </button>
  );
}
