import { type Message, deleteMessage } from '@parley/client';

import { attempt } from '../../data/actions/verbs.ts';
import { connection } from '../../data/session/session.ts';
import { deletionText } from '../../strings/actions.ts';
import { commonText } from '../../strings/common.ts';
import { Html } from '../content/index.ts';

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
