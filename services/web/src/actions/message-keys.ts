import type { Message } from '@parley/client';
import { useEffect, useRef } from 'preact/hooks';

import { pickEmoji } from '../emoji/pick.tsx';
import { useCommand } from '../keys/commands.ts';
import { isSpectator } from '../session/session.ts';
import { editing } from './editing.ts';
import { move } from './message-menu.ts';
import { mayEdit } from './permissions.ts';
import { offerSelection, selectedMessage } from './selection.ts';
import { attempt, markUnread, quote, toggleReaction, toggleStar } from './verbs.ts';

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
