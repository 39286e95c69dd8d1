import { useEffect, useRef } from 'preact/hooks';

import { selectedMessage } from '../actions/selection.ts';
import { reply } from '../actions/verbs.ts';
import { startDrafts } from '../drafts/sync.ts';
import { useCommand } from '../keys/commands.ts';
import { go, useFragment } from '../router/fragment.ts';
import { readNarrow } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { composeText } from '../strings/compose.ts';
import { ComposeBox } from './box.tsx';
import { askFocus, closeComposition, composition, openBlank, openComposition } from './composition.ts';
import { useDroppedFiles } from './dropped-files.ts';
import { followOutbox } from './send.ts';
import { type Target, targetOfNarrow, toChannelTarget } from './target.ts';
import { startTypingNotices } from './typing-sender.ts';
import { upload } from './uploads.ts';

import './compose.css';

const nobody: Target = { kind: 'direct', userIds: [] };

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
  if (draft) return <ComposeBox draft={draft} canClose={target === null} insert={insert} />;
  return (
    <div class="compose compose-closed">
      <button type="button" onClick={toChannel}>
        {composeText.toChannel}
      </button>
      <button type="button" onClick={toPeople}>
        {composeText.toPeople}
      </button>
    </div>
  );
}
