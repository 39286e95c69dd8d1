import { type Message, addReaction, removeReaction } from '@parley/client';

import { part } from '../live/state.ts';
import { connection, isSpectator } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

import './actions.css';

/** The reactions to a message, with how many each has. Pressing one adds the reader's, or takes it back. */
export function Reactions({ message: { id, reactions } }: { message: Message }) {
  const ownId = part('own').user_id;
  const groups = new Map<string, Message['reactions']>();
  for (const reaction of reactions) {
    const key = `${reaction.reaction_type} ${reaction.emoji_code}`;
    groups.set(key, [...(groups.get(key) ?? []), reaction]);
  }
  if (groups.size === 0) return null;
  return (
    <div class="reactions" role="group" aria-label="Reactions">
      {[...groups].map(([key, [first, ...others]]) => {
        if (!first) return null;
        const isOwn = [first, ...others].some(({ user_id }) => user_id === ownId);
        return (
          <button
            key={key}
            type="button"
            class="reaction"
            aria-pressed={isOwn}
            disabled={isSpectator()}
            onClick={() => {
              const change = isOwn ? removeReaction : addReaction;
              change(connection(), id, first).catch(tellError);
            }}
          >
            :{first.emoji_name}: {others.length + 1}
          </button>
        );
      })}
    </div>
  );
}
