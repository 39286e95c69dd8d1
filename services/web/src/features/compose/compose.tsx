import { MessageCircle, PenLine } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import { go, useFragment } from '../../base/router/fragment.ts';
import { isConversation } from '../../base/router/narrow-kind.ts';
import { readNarrow } from '../../base/router/narrow.ts';
import { selectedMessage } from '../../data/actions/selection.ts';
import { reply } from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import {
  askFocus,
  closeComposition,
  composition,
  openBlank,
  openComposition,
} from '../../data/writing/composition.ts';
import { followOutbox } from '../../data/writing/send.ts';
import { startDrafts } from '../../data/writing/sync.ts';
import {
  type Target,
  fragmentOf,
  keyOf,
  targetOfNarrow,
  toChannelTarget,
} from '../../data/writing/target.ts';
import { upload } from '../../data/writing/uploads.ts';
import { composeText } from '../../strings/compose.ts';
import { ComposeBox } from './box.tsx';
import { useDroppedFiles } from './dropped-files.ts';
import { startTypingNotices } from './typing-sender.ts';

import './compose.css';

const nobody: Target = { kind: 'direct', userIds: [] };

const isSameTarget = (one: Target, other: Target): boolean => {
  const ownId = peek().own.user_id;
  return keyOf(one, ownId) === keyOf(other, ownId);
};

/** Shows the compose box below every view. It is open in conversations; elsewhere a button opens it. */
export function Compose() {
  useEffect(() => {
    const ends = [startDrafts(connection()), followOutbox(), startTypingNotices()];
    return () => ends.forEach((end) => end());
  }, []);
  const fragment = useFragment();
  const narrow = readNarrow(fragment);
  const target = narrow && targetOfNarrow(narrow);
  const key = JSON.stringify(target);
  useEffect(() => {
    if (target) openComposition(target);
    else if (composition.peek()?.content.trim() === '') closeComposition();
  }, [key]);

  function write(to: Target): void {
    openBlank(to);
    askFocus('recipient');
  }
  const toChannel = () => write(toChannelTarget(target?.kind === 'channel' ? target.channelId : null));
  const toPeople = () => write(nobody);
  useCommand('compose', toChannel);
  useCommand('composeDirect', toPeople);
  useCommand('drafts', () => go('drafts'));
  useCommand('goToDraft', () => {
    const open = composition.peek();
    const fragment = open && fragmentOf(open.target, peek());
    if (!fragment) return false;
    go(fragment);
    return true;
  });
  useCommand('reply', () => {
    const message = selectedMessage();
    if (message) {
      reply(message);
      return true;
    }
    if (!composition.peek()) return false;
    askFocus();
    return true;
  });

  const insert = useRef<(text: string) => void>(null);
  useDroppedFiles((files) => {
    if (!composition.peek()) write(toChannelTarget(null));
    upload(files, (text) => insert.current?.(text));
  });

  const draft = composition.value;
  if (draft) {
    const isOfView =
      target !== null && narrow !== null && isConversation(narrow) && isSameTarget(draft.target, target);
    return <ComposeBox draft={draft} canClose={target === null} isOfView={isOfView} insert={insert} />;
  }
  return (
    <div class="compose compose-closed">
      <button type="button" onClick={toChannel}>
        <PenLine />
        {composeText.toChannel}
      </button>
      <button type="button" onClick={toPeople}>
        <MessageCircle />
        {composeText.toPeople}
      </button>
    </div>
  );
}
