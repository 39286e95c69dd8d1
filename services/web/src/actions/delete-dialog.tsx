import { type Message, deleteMessage } from '@parley/client';

import { Html } from '../messages/html.tsx';
import { connection } from '../session/session.ts';
import { deletionText } from '../strings/actions.ts';
import { commonText } from '../strings/common.ts';
import { attempt } from './verbs.ts';

/** Asks whether a message is to be deleted. */
export const DeleteDialog = ({ message, onDone }: { message: Message; readonly onDone: () => void }) => (
  <>
    <Html class="rendered" html={message.content} />
    <p>{deletionText.warning}</p>
    <button
      type="button"
      class="primary"
      onClick={() => {
        attempt(deleteMessage(connection(), message.id));
        onDone();
      }}
    >
      {commonText.delete}
    </button>{' '}
    <button type="button" onClick={onDone}>
      {deletionText.keep}
    </button>
  </>
);
