import type { Message } from '@parley/client';
import { Star } from 'lucide-preact';

import { own } from '../../data/live/state.ts';
import { momentOf } from '../../data/places/times.ts';
import { isSpectator } from '../../data/session/session.ts';
import { messageText } from '../../strings/messages.ts';
import { showHistory } from './history-dialog.tsx';

/** Returns whether a message was edited or moved; a click shows what it was, where the organization shows that. */
export function Marks({ message }: { message: Message }) {
  const { id, last_edit_timestamp: edited, last_moved_timestamp: moved, flags } = message;
  const isStarred = flags.includes('starred');
  const when = edited ?? moved;
  if (when === undefined && !isStarred) return null;
  const text = edited === undefined ? messageText.moved : messageText.edited;
  const isHidden = isSpectator() || own('realm_message_edit_history_visibility_policy') === 'none';
  return (
    <span class="message-marks dim">
      {when !== undefined &&
        (isHidden ? (
          <span title={momentOf(when)}>{text}</span>
        ) : (
          <button type="button" title={momentOf(when)} onClick={() => showHistory(id)}>
            {text}
          </button>
        ))}
      {isStarred && (
        <span role="img" aria-label={messageText.starred}>
          <Star class="small-icon" fill="currentColor" />
        </span>
      )}
    </span>
  );
}
