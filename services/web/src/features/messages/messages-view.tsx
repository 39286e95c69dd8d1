import { useEffect, useState } from 'preact/hooks';

import { useEntry } from '../../base/router/entry.ts';
import { currentFragment, replaceFragment, useFragment } from '../../base/router/fragment.ts';
import { isSearch } from '../../base/router/narrow-kind.ts';
import {
  type Narrow,
  followedBy,
  narrowFragment,
  readNarrow,
  withoutFollowed,
} from '../../base/router/narrow.ts';
import { client } from '../../data/live/follow.ts';
import { isSpectator } from '../../data/session/session.ts';
import { PictureDialog } from '../content/index.ts';
import { FoundBar, FoundList } from './found-list.tsx';
import { isFoundGrouped } from './found-view.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { MessageList } from './message-list.tsx';
import { isRight, resolveLink } from './resolve.ts';
import { ViewHeader } from './view-header.tsx';

/** What `#feed` shows: everything but what the reader mutes. */
const feed: Narrow = { terms: [{ operator: 'in', operand: 'home', negated: false }], near: null };
const open: Narrow = { terms: [], near: null };

/** The messages that the fragment asks for. */
export function MessagesView() {
  const fragment = useFragment();
  const narrow = readNarrow(fragment) ?? (isSpectator() ? open : feed);
  const isReady = useResolved(narrow, fragment);
  const shown = withoutFollowed(narrow);
  const key = narrowFragment({ ...shown, near: null });
  const entry = useEntry();
  return (
    <>
      <ViewHeader narrow={shown} />
      {isReady && isSearch(shown) && <FoundBar narrow={shown} />}
      {isReady &&
        (isSearch(shown) && isFoundGrouped.value ? (
          <FoundList key={key} narrow={shown} entry={entry} />
        ) : (
          <MessageList key={key} narrow={shown} entry={entry} followed={followedBy(narrow)} />
        ))}
      <HistoryDialog />
      <PictureDialog />
    </>
  );
}

/** Returns whether the fragment names the current place of its message. If it does not, another fragment replaces it. */
function useResolved(narrow: Narrow, fragment: string): boolean {
  const [resolved, setResolved] = useState<string | null>(null);
  const isLink = narrow.near !== null || followedBy(narrow) !== null;
  useEffect(() => {
    if (!isLink) return undefined;
    let isCurrent = true;
    const show = (now: string | null) => {
      if (!isCurrent) return;
      if (now === null) setResolved(fragment);
      else if (currentFragment() === fragment) replaceFragment(now);
    };
    // What cannot be found out is shown as the link says it: the list shows what is wrong.
    const resolve = () => void resolveLink(narrow).then(show, () => show(null));
    resolve();
    // It may move while it is shown, or have moved a moment ago.
    const stop = client()?.subscribe(({ changes }) => {
      if (narrow.near !== null && changes.messages.has(narrow.near)) resolve();
    });
    return () => {
      isCurrent = false;
      stop?.();
    };
  }, [fragment]);
  return !isLink || resolved === fragment || isRight(narrow);
}
