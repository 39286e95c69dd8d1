import { setFlag } from '@parley/client';

import { showError } from '../../base/toasts/toasts.tsx';
import { connection } from '../../data/session/session.ts';
import { messageText } from '../../strings/messages.ts';

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
