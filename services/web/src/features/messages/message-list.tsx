import type { MessageList as List } from '@parley/client';
import { type Signal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';

import { isConversation } from '../../base/router/narrow-kind.ts';
import type { Narrow } from '../../base/router/narrow.ts';
import { endFirstLook, isFirstLookOver } from '../../data/live/first-look.ts';
import { isWriting } from '../../data/live/gather.ts';
import { setParticipants } from '../../data/people/participants.ts';
import { messageText } from '../../strings/messages.ts';
import { useMessageKeys } from '../actions/index.ts';
import { Announcer } from './announcer.tsx';
import { useClickToAnswer } from './click-to-answer.ts';
import { useFollowedTopic } from './follow-topic.ts';
import { headOf } from './heads.ts';
import { Jumps } from './jumps.tsx';
import { useListKeys } from './list-keys.ts';
import { Corrected, ListState } from './list-state.tsx';
import { MessageRow } from './message-row.tsx';
import { PendingRow } from './pending-row.tsx';
import { usePrinting } from './printing.ts';
import type { ScrollController } from './scroll-controller.ts';
import { useScrollController } from './use-scroll-controller.ts';

import './message-list.css';

const bufferPixels = 800;

/**
 * How much is drawn beyond what is in view. Heights are known before messages come into view: so nothing in view moves. The
 * first look needs only what is in view; so does somebody who writes while others do, and sees the newest come and go. Whoever
 * leaves the end has all of it again.
 */
const bufferOf = (isEndShown: boolean): number =>
  isFirstLookOver.value && !(isEndShown && isWriting()) ? bufferPixels : 0;

interface MessageListProps {
  narrow: Narrow;
  /** The entry of the browser's history that is shown: whoever goes back to it is where they were. */
  entry: string;
  /** The message that the address follows, if it names one. */
  followed: number | null;
}

/** The messages of a narrow: what is in view is on the page, and more is loaded at both ends. */
export function MessageList({ narrow, entry, followed }: MessageListProps) {
  const { controller, list, version, handle, scroller } = useScrollController(narrow, entry);
  const { selected, isEndShown, show, retry } = controller;
  const shown = controller.next();
  const readerAt = () => (isEndShown.peek() ? null : controller.firstInView());
  const isMixed = !isConversation(narrow);
  useParticipants(list, version, isMixed);
  useFollowedTopic({ narrow, followed, list, version, readerAt });
  useClickToAnswer(scroller);
  useListKeys({ handle, scroller, ids: () => controller.ids, selected, show });
  useMessageKeys(() => (selected.value === null ? null : list.message(selected.value)));
  useFirstLook(list, version);
  const isPrinting = usePrinting(list, () => controller.ids);
  return (
    <div class="message-list">
      {(!list.hasOldest || shown.ids[0] !== list.ids[0]) && (
        <p class="print-note">{messageText.printEarlier}</p>
      )}
      <Corrected list={list} />
      <div
        ref={scroller}
        class="message-scroller"
        role="region"
        aria-label={messageText.region}
        // What scrolls is reached by keys too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onFocusIn={({ target }) => {
          const id = target instanceof Element && target.closest('article[id^="message-"]')?.id;
          if (id) selected.value = Number(id.slice('message-'.length));
        }}
      >
        <Rows
          shown={shown}
          controller={controller}
          list={list}
          isMixed={isMixed}
          handle={handle}
          scroller={scroller}
          isWhole={isPrinting.value}
        />
        {!list.hasNewest && <p class="print-note">{messageText.printLater}</p>}
        {list.hasNewest &&
          list.pending().map((message) => <PendingRow key={message.localId} message={message} />)}
      </div>
      <ListState list={list} narrow={narrow} onRetry={retry} />
      <Jumps list={list} isEndShown={isEndShown} show={show} />
      <Announcer />
    </div>
  );
}

/** Everything around the messages is drawn once they, or what stands in their place, have been painted. */
function useFirstLook(list: List, version: Signal<number>): void {
  useEffect(() => {
    // Rows are drawn in the frame that measures the list; the next one begins when they have been painted.
    if (list.ids.length > 0 || !list.loading) requestAnimationFrame(() => setTimeout(endFirstLook));
  }, [list, version.value]);
}

/** Tells the column of people who has written in the conversation that is shown. */
function useParticipants(list: List, version: Signal<number>, isMixed: boolean): void {
  useSignalEffect(() => {
    void version.value;
    setParticipants(isMixed ? [] : list.ids.flatMap((id) => list.message(id)?.sender_id ?? []));
  });
}

interface RowsProps {
  /** Another object whenever the list has changed: rows with the same properties would not be rendered again. */
  shown: ReturnType<ScrollController['next']>;
  controller: ScrollController;
  list: List;
  /** Whether several conversations are shown. */
  isMixed: boolean;
  handle: RefObject<VirtualizerHandle>;
  scroller: RefObject<HTMLDivElement>;
  /** Whether all of it is on the page, and not only what is in view. */
  isWhole: boolean;
}

function Rows({
  shown: { ids, isAtStart, generation },
  controller,
  list,
  isMixed,
  handle,
  scroller,
  isWhole,
}: RowsProps) {
  const { selected, firstNew, isEndShown } = controller;
  const selectedIndex = selected.value === null ? -1 : ids.indexOf(selected.value);
  const kept = isWhole ? [...ids.keys()] : selectedIndex === -1 ? [] : [selectedIndex];
  return (
    <Virtualizer
      key={generation}
      ref={handle}
      data={ids}
      shift={isAtStart}
      scrollRef={scroller}
      as="ol"
      item="li"
      bufferSize={bufferOf(isEndShown.value)}
      keepMounted={kept}
      onScroll={controller.onScroll}
      onScrollEnd={controller.onScrollEnd}
      onResize={controller.onResize}
    >
      {(id: number, index: number) => {
        const message = list.message(id);
        if (!message) return <div key={id} />;
        return (
          <MessageRow
            key={id}
            message={message}
            match={list.match(id)}
            isFirstNew={firstNew.value === id}
            isSelected={selected.value === id}
            {...headOf(message, list.message(ids[index - 1] ?? 0), isMixed)}
          />
        );
      }}
    </Virtualizer>
  );
}
