import { setFlag } from '@parley/client';

import { connection } from '../session/session.ts';
import { showError } from '../shell/toasts.tsx';
import { messageText } from '../strings/messages.ts';

/** Shows a button in the place of a collapsed message. */
export const Collapsed = ({ id }: { id: number }) => (
  <button
    type="button"
    class="content-more"
    onClick={() => {
      setFlag(connection(), 'remove', 'collapsed', [id]).catch(showError);
    }}
  >
    {messageText.collapsed}
  </button>
);
