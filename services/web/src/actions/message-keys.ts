import { type Message, setFlag } from '@parley/client';

import { useCommand } from '../keys/commands.ts';
import { peek } from '../live/state.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';
import { editing } from './editing.ts';

/** Takes the keys of the message at which the reader is. A list of messages says which one that is. */
export function useMessageKeys(current: () => Message | null | undefined): void {
  const withMessage = (act: (message: Message) => boolean) => () => {
    const message = current();
    return message ? act(message) : false;
  };
  useCommand(
    'edit',
    withMessage(({ id, sender_id }) => {
      if (sender_id !== peek().own.user_id) return false;
      editing.value = id;
      return true;
    }),
  );
  useCommand(
    'star',
    withMessage(({ id, flags }) => {
      setFlag(connection(), flags.includes('starred') ? 'remove' : 'add', 'starred', [id]).catch(tellError);
      return true;
    }),
  );
}
