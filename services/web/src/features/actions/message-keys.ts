import type { Message } from '@parley/client';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { openMenu } from '../../base/dialogs/menu.tsx';
import { useCommand } from '../../base/keys/commands.ts';
import { editing } from '../../data/actions/editing.ts';
import { mayEdit } from '../../data/actions/permissions.ts';
import { offerSelection, selectedMessage } from '../../data/actions/selection.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import {
  attempt,
  copy,
  forward,
  linkTo,
  markUnread,
  quote,
  replyDirectly,
  replyMentioning,
  toggleCollapsed,
  toggleFirstReaction,
  toggleReaction,
  toggleStar,
  toggleThumbsUp,
  toggleTopicMuted,
} from '../../data/actions/verbs.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { isSpectator } from '../../data/session/session.ts';
import { actionText } from '../../strings/actions.ts';
import { pickEmoji } from '../emoji/index.ts';
import { itemsOf, move, showReaders } from './message-menu.ts';

type Act = (message: Message) => boolean | void;

/** Does something with the selected message, and leaves the key to other handlers where there is none. */
const atMessage = (act: Act) => () => {
  const message = isSpectator() ? null : selectedMessage();
  return message ? act(message) !== false : false;
};

/** The buttons of a message, which are shown while it is selected. */
const toolsOf = ({ id }: Message): Element =>
  document.querySelector(`#message-${id} .message-actions`) ?? document.body;

const menuButtonOf = (message: Message): HTMLElement =>
  toolsOf(message).querySelector<HTMLElement>('[aria-haspopup="menu"]') ?? document.body;

/** Handles the keys of the selected message. A list of messages says which one that is. */
export function useMessageKeys(current: () => Message | null | undefined): void {
  const latest = useRef(current);
  latest.current = current;
  useLayoutEffect(() => offerSelection(() => latest.current()), []);
  useCommand(
    'edit',
    atMessage((message) => {
      if (mayEdit(message)) editing.value = message.id;
      else showDialog({ kind: 'source', message });
    }),
  );
  useCommand('star', atMessage(toggleStar));
  useCommand('markUnread', atMessage(markUnread));
  useCommand('move', atMessage(move));
  useCommand('collapse', atMessage(toggleCollapsed));
  useCommand('readers', atMessage(showReaders));
  useCommand(
    'copyLink',
    atMessage((message) => copy(linkTo(message))),
  );
  useCommand(
    'sender',
    atMessage(({ sender_id }) => showProfile(sender_id)),
  );
  useCommand(
    'muteTopic',
    atMessage(({ stream_id, subject }) => {
      if (stream_id === undefined) return false;
      toggleTopicMuted(stream_id, subject);
      return true;
    }),
  );
  useCommand(
    'messageMenu',
    atMessage((message) => openMenu(actionText.actions, menuButtonOf(message), itemsOf(message))),
  );
  useAnswerKeys();
  useReactionKeys();
}

function useAnswerKeys(): void {
  useCommand('replyDirectly', atMessage(replyDirectly));
  useCommand('mention', atMessage(replyMentioning));
  useCommand(
    'quote',
    atMessage((message) => attempt(quote(message))),
  );
  useCommand(
    'forward',
    atMessage((message) => attempt(forward(message))),
  );
}

function useReactionKeys(): void {
  useCommand('thumbsUp', atMessage(toggleThumbsUp));
  useCommand('sameReaction', atMessage(toggleFirstReaction));
  useCommand(
    'react',
    atMessage((message) => pickEmoji(toolsOf(message), (emoji) => toggleReaction(message, emoji))),
  );
}
