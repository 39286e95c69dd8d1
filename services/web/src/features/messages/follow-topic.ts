import type { ListChange, Message, MessageList } from '@parley/client';
import { type Signal, effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { currentFragment, replaceFragment } from '../../base/router/fragment.ts';
import { isConversation } from '../../base/router/narrow-kind.ts';
import {
  type Narrow,
  channelOf,
  narrowFragment,
  readNarrow,
  topicOf,
  viewKeyOf,
} from '../../base/router/narrow.ts';
import { peek } from '../../data/live/state.ts';
import { conversationOf } from '../../data/places/links.ts';
import { retarget } from '../../data/writing/composition.ts';
import { targetOfMessage, toChannelTarget } from '../../data/writing/target.ts';
import { findMessage, isIn } from './resolve.ts';

interface FollowedView {
  narrow: Narrow;
  /** The message that the address follows, if it names one. */
  followed: number | null;
  list: MessageList;
  version: Signal<number>;
  /** The first message in view; null where the reader is at the end. */
  readonly readerAt: () => number | null;
}

/**
 * Keeps a reader in the topic that is shown when somebody renames, resolves or moves it: address and compose box go
 * where its messages went. Messages that only a part of it has lost are not followed.
 */
export function useFollowedTopic({ narrow, followed, list, version, readerAt }: FollowedView): void {
  const channelId = channelOf(narrow);
  const topic = topicOf(narrow);
  const isTopic = channelId !== null && topic !== null && isConversation(narrow);
  const before = useRef<readonly number[]>([]);
  const position = useRef(readerAt);
  position.current = readerAt;

  function follow(message: Message, otherwise: number | null): void {
    retarget(toChannelTarget(channelId, topic ?? ''), targetOfMessage(message, peek().own.user_id));
    const there = addressOf(narrow);
    if (there) replaceFragment(conversationOf(message, there.near ?? otherwise));
  }

  useEffect(() => {
    if (!isTopic) return undefined;
    before.current = [...list.ids];
    return list.subscribe(({ messages, side }: ListChange) => {
      const known = before.current;
      before.current = [...list.ids];
      const last = known.at(-1) ?? followed;
      if (side === 'all' && list.ids.length === 0 && last !== null) {
        // No event has told of it: the queue was lost meanwhile.
        void findMessage(last, true).then(
          (message) => {
            if (message && !isIn(message, narrow)) follow(message, null);
          },
          () => undefined,
        );
        return;
      }
      const gone = known.flatMap((id) => (messages.has(id) ? (list.message(id) ?? []) : []));
      const newest = gone.filter((message) => !isIn(message, narrow)).at(-1);
      const left = new Set(known);
      if (newest && !list.ids.some((id) => left.has(id))) follow(newest, position.current());
    });
  }, [list, followed]);

  // The address names a message of the topic, so that it leads to it whatever it is called by then.
  useEffect(() => {
    if (!isTopic || narrow.near !== null) return undefined;
    return effect(() => {
      void version.value;
      const newest = list.hasNewest ? list.message(list.ids.at(-1) ?? 0) : undefined;
      if (!newest || !isIn(newest, narrow)) return;
      const named = followed === null ? undefined : list.message(followed);
      const isRight = followed !== null && (!named || isIn(named, narrow)) && newest.subject === topic;
      if (!isRight && addressOf(narrow)?.near === null) replaceFragment(conversationOf(newest));
    });
  }, [list, followed, narrow.near]);
}

/** What the address says now; null if the reader has gone elsewhere. */
function addressOf(narrow: Narrow): Narrow | null {
  const fragment = currentFragment();
  return viewKeyOf(fragment) === viewKeyOf(narrowFragment(narrow)) ? readNarrow(fragment) : null;
}
