import type { Message } from '@parley/client';
import { useEffect, useRef } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import { editing } from '../../data/actions/editing.ts';
import { mayEdit } from '../../data/actions/permissions.ts';
import { offerSelection, selectedMessage } from '../../data/actions/selection.ts';
import { attempt, markUnread, quote, toggleReaction, toggleStar } from '../../data/actions/verbs.ts';
import { isSpectator } from '../../data/session/session.ts';
import { pickEmoji } from '../emoji/index.ts';
import { move } from './message-menu.ts';

type Act = (message: Message) => boolean | void;

/** Does something with the selected message, and leaves the key to other handlers where there is none. */
const atMessage = (act: Act) => () => {
  const message = isSpectator() ? null : selectedMessage();
  return message ? act(message) !== false : false;
};

/** The buttons of a message, which are shown while it is selected. */
const toolsOf = ({ id }: Message): Element =>
  document.querySelector(`#message-${id} .message-actions`) ?? document.body;

/** Handles the keys of the selected message. A list of messages says which one that is. */
export function useMessageKeys(current: () => Message | null | undefined): void {
  const latest = useRef(current);
  latest.current = current;
  useEffect(() => offerSelection(() => latest.current()), []);
  useCommand(
    'edit',
    atMessage((message) => {
      if (!mayEdit(message)) return false;
      editing.value = message.id;
      return true;
    }),
  );
  useCommand(
    'quote',
    atMessage((message) => attempt(quote(message))),
  );
  useCommand('star', atMessage(toggleStar));
  useCommand('markUnread', atMessage(markUnread));
  useCommand('move', atMessage(move));
  useCommand(
    'react',
    atMessage((message) => pickEmoji(toolsOf(message), (emoji) => toggleReaction(message, emoji))),
  );
}
