import type { Message } from '@parley/client';
import { Star } from 'lucide-preact';

import { momentOf } from '../../data/places/times.ts';
import { messageText } from '../../strings/messages.ts';
import { isHistoryShown, showHistory } from './history-dialog.tsx';

/** Returns whether a message was edited or moved; a click shows what it was, where the organization shows that. */
export function Marks({ message }: { message: Message }) {
  const { id, last_edit_timestamp: edited, last_moved_timestamp: moved, flags } = message;
  const isStarred = flags.includes('starred');
  const when = edited ?? moved;
  if (when === undefined && !isStarred) return null;
  const text = edited === undefined ? messageText.moved : messageText.edited;
  return (
    <span class="message-marks dim">
      {when !== undefined &&
        (isHistoryShown() ? (
          <button type="button" title={momentOf(when)} onClick={() => showHistory(id)}>
            {text}
          </button>
        ) : (
          <span title={momentOf(when)}>{text}</span>
        ))}
      {isStarred && (
        <span role="img" aria-label={messageText.starred}>
          <Star class="small-icon" fill="currentColor" />
        </span>
      )}
    </span>
  );
}
