import { type Message, deleteMessage, setFlag } from '@parley/client';

import { part } from '../live/state.ts';
import { connection, isSpectator } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';
import { editing } from './editing.ts';

import './actions.css';

/** What can be done with a message: a row of buttons that its place in the list shows. */
export function MessageActions({ message }: { message: Message }) {
  if (isSpectator()) return null;
  const { id, sender_id, flags } = message;
  const isOwn = part('own').user_id === sender_id;
  const isStarred = flags.includes('starred');
  return (
    <div class="message-actions" role="group" aria-label="Actions">
      <button
        type="button"
        class="icon-button"
        aria-label={isStarred ? 'Take the star away' : 'Star'}
        aria-pressed={isStarred}
        onClick={() => {
          setFlag(connection(), isStarred ? 'remove' : 'add', 'starred', [id]).catch(tellError);
        }}
      >
        {isStarred ? '★' : '☆'}
      </button>
      {isOwn && (
        <>
          <button type="button" class="icon-button" aria-label="Edit" onClick={() => (editing.value = id)}>
            ✎
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label="Delete"
            onClick={() => {
              deleteMessage(connection(), id).catch(tellError);
            }}
          >
            🗑
          </button>
        </>
      )}
    </div>
  );
}
