import type { Anchor, ListChange, MessageList as List, Message } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';

import { isConversation, marksRead, showsAllOfSomewhere } from '../../base/router/narrow-kind.ts';
import type { Narrow } from '../../base/router/narrow.ts';
import { peek, userSetting } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { messageText } from '../../strings/messages.ts';
import { useMessageKeys } from '../actions/index.ts';
import { Announcer, announce } from './announcer.tsx';
import { useFollowedTopic } from './follow-topic.ts';
import { headOf } from './heads.ts';
import { Jumps } from './jumps.tsx';

import './message-list.css';
import { useListKeys } from './list-keys.ts';
import { ListState } from './list-state.tsx';
import { MessageRow } from './message-row.tsx';
import { PendingRow } from './pending-row.tsx';
import { type ReadingPlace, keepPlace, placeAt } from './reading-places.ts';
import { queueAsRead } from './reading.ts';
import { type Deferral, type Step, nextStep } from './steps.ts';
import { useList } from './use-list.ts';
import { inView, isAtEnd, isNearEnd, isNearStart, seenIn } from './viewport.ts';

/** Where the list is put when it is laid out. */
type Target = number | 'first_unread' | 'newest' | 'oldest' | ReadingPlace;

const bufferPixels = 800;

/** The message that a target names. */
const idOf = (at: Target): number | null =>
  typeof at === 'number' ? at : typeof at === 'object' ? at.id : null;

const anchorOf = (at: Target): Anchor => (typeof at === 'object' ? at.id : at);

const isUnread = (message: Message | undefined) => message !== undefined && !message.flags.includes('read');

interface MessageListProps {
  narrow: Narrow;
  /** The entry of the browser's history that is shown: whoever goes back to it is where they were. */
  entry: string;
  /** The message that the address follows, if it names one. */
  followed: number | null;
}

/** The messages of a narrow: what is in view is on the page, and more is loaded at both ends. */
export function MessageList({ narrow, entry, followed }: MessageListProps) {
  const handle = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { list, version } = useList(narrow, onChange);
  const step = useRef<Step>(nextStep([], []));
  const generation = useRef(0);
  const target = useRef<Target | null>(null);
  const followsEnd = useRef(false);
  const lastOffset = useRef(0);
  const deferral = useRef<Deferral>('losses');
  const isReading = useRef(true);
  const anchor = useRef<{ id: number; top: number } | null>(null);
  const selected = useSignal<number | null>(null);
  const firstNew = useSignal<number | null>(null);
  const isEndShown = useSignal(true);
  const shownEntry = useRef(entry);
  const isMixed = !isConversation(narrow);
  const start: Target = narrow.near ?? (showsAllOfSomewhere(narrow) ? 'first_unread' : 'newest');

  function show(at: Target): void {
    target.current = at;
    followsEnd.current = at === 'newest';
    const id = idOf(at);
    const isThere =
      list.ids.length > 0 &&
      (id !== null ? list.ids.includes(id) : at === 'oldest' ? list.hasOldest : list.hasNewest);
    if (isThere) scrollToTarget();
    else void list.load(anchorOf(at));
  }

  // Before anything else looks at the viewport: what is there says nothing about where the reader is in this entry.
  useLayoutEffect(() => {
    shownEntry.current = entry;
    show(placeAt(entry) ?? start);
  }, [narrow.near, entry]);

  /** Scrolls to where the list is to be. */
  function scrollToTarget(): void {
    const { ids } = step.current;
    const at = target.current;
    const { current } = handle;
    if (!current || ids.length === 0 || at === null) return;
    target.current = null;
    const unread = ids.findIndex((id) => isUnread(list.message(id)));
    firstNew.value ??= at === 'newest' || unread === -1 ? null : (ids[unread] ?? null);
    const wanted = idOf(at);
    const index = wanted !== null ? ids.findIndex((id) => id >= wanted) : at === 'oldest' ? 0 : unread;
    if (typeof at === 'number' && ids[index] === at && at === narrow.near) selected.value = at;
    if (at === 'newest' || index === -1) scrollToEnd();
    else if (typeof at === 'number') current.scrollToIndex(index, { align: 'center' });
    else if (typeof at === 'object') current.scrollToIndex(index, { align: 'start', offset: -at.top });
    else current.scrollToIndex(index, { align: 'start', offset: at === 'oldest' ? 0 : -80 });
    requestAnimationFrame(updateViewport);
  }

  function scrollToEnd(): void {
    followsEnd.current = true;
    handle.current?.scrollToIndex(step.current.ids.length - 1, { align: 'end' });
    const { current } = scroller;
    if (current) current.scrollTop = current.scrollHeight;
  }

  function onChange(changed: List, { messages, side }: ListChange): void {
    const id = firstInView();
    const top = id === null ? undefined : topOf(id);
    anchor.current = id === null || top === undefined ? null : { id, top };
    if (side !== null) return;
    for (const one of messages) {
      const message = changed.message(one);
      if (!message) continue;
      // Whoever marks something as unread while it is in view wants it to stay so.
      if (one <= (step.current.ids.at(-1) ?? 0))
        isReading.current &&= !wasRead.current.has(one) || !isUnread(message);
      else handleNew(message);
    }
  }

  const wasRead = useRef(new Set<number>());

  function handleNew(message: Message): void {
    announce(message);
    if (message.sender_id === peek().own.user_id) followsEnd.current = true;
    else if (!followsEnd.current || document.visibilityState === 'hidden') {
      if (isUnread(message)) firstNew.value ??= message.id;
    }
  }

  function firstInView(): number | null {
    const first = handle.current && inView(handle.current, step.current.ids.length)?.first;
    return typeof first === 'number' ? (step.current.ids[first] ?? null) : null;
  }

  const topOf = (id: number) => document.getElementById(`message-${id}`)?.getBoundingClientRect().top;

  /** Loads what is missing near the viewport, and queues as read what was seen. */
  function updateViewport(): void {
    const { current } = handle;
    const { ids } = step.current;
    const view = current && inView(current, ids.length);
    if (!view) return;
    list.setViewport(ids[(view.first + view.last) >> 1] ?? null);
    if (!list.error && !list.loading && target.current === null) {
      if (isNearStart(current) && !list.hasOldest) void list.loadOlder();
      else if (isNearEnd(current) && !list.hasNewest) void list.loadNewer();
    }
    if (scroller.current) isEndShown.value = list.hasNewest && isAtEnd(scroller.current);
    const first = ids[view.first];
    if (target.current === null && first !== undefined) {
      const top = current.getItemOffset(view.first) - current.scrollOffset;
      keepPlace(shownEntry.current, isEndShown.peek() ? null : { id: first, top });
    }
    // Whoever sees the end follows it, also where there was nothing to scroll.
    if (isEndShown.peek() && target.current === null) followsEnd.current = true;
    if (isSpectator() || document.visibilityState === 'hidden' || target.current !== null) return;
    const messages = [...seenIn(current, view)].flatMap((index) => list.message(ids[index] ?? 0) ?? []);
    for (const message of messages) if (!isUnread(message)) wasRead.current.add(message.id);
    if (isReading.current && marksRead(narrow, userSetting('web_mark_read_on_scroll_policy')))
      queueAsRead(messages);
  }

  function onScroll(offset: number): void {
    const { current } = scroller;
    if (!current) return;
    followsEnd.current =
      (list.hasNewest && isAtEnd(current)) || (followsEnd.current && offset >= lastOffset.current);
    if (offset !== lastOffset.current) deferral.current = offset < lastOffset.current ? 'nothing' : 'changes';
    lastOffset.current = offset;
    updateViewport();
  }

  useEffect(() => {
    document.addEventListener('visibilitychange', updateViewport);
    return () => document.removeEventListener('visibilitychange', updateViewport);
  }, []);

  // The compose box grows at the expense of the list.
  useEffect(() => {
    const { current } = scroller;
    const observer = new ResizeObserver(() => {
      if (followsEnd.current && current) current.scrollTop = current.scrollHeight;
    });
    if (current) observer.observe(current);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (target.current !== null) {
      if (!list.loading) scrollToTarget();
    } else if (followsEnd.current && list.hasNewest) scrollToEnd();
    else if (anchor.current && !step.current.isAtStart) {
      const top = topOf(anchor.current.id);
      if (top !== undefined && scroller.current) scroller.current.scrollTop += top - anchor.current.top;
    }
    anchor.current = null;
    if (nextStep(step.current.ids, list.ids, deferral.current).ids !== step.current.ids) version.value += 1;
    else requestAnimationFrame(updateViewport);
  }, [version.value]);

  const next = nextStep(step.current.ids, list.ids, deferral.current);
  if (next.ids !== step.current.ids) {
    if (next.isReplaced) {
      generation.current += 1;
      target.current ??= lastOffset.current === 0 ? start : 'newest';
    }
    step.current = next;
  }
  const { ids, isAtStart } = step.current;
  const selectedIndex = selected.value === null ? -1 : ids.indexOf(selected.value);

  useFollowedTopic({
    narrow,
    followed,
    list,
    version,
    readerAt: () => (isEndShown.peek() ? null : firstInView()),
  });
  useListKeys({ handle, scroller, ids: () => step.current.ids, selected, show });
  useMessageKeys(() => (selected.value === null ? null : list.message(selected.value)));

  return (
    <div class="message-list">
      <div
        ref={scroller}
        class="message-scroller"
        role="region"
        aria-label={messageText.region}
        // What scrolls is reached by keys too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onFocusIn={({ target: focused }) => {
          const id = focused instanceof Element && focused.closest('article[id^="message-"]')?.id;
          if (id) selected.value = Number(id.slice('message-'.length));
        }}
      >
        <Virtualizer
          key={generation.current}
          ref={handle}
          data={ids}
          shift={isAtStart}
          scrollRef={scroller}
          as="ol"
          item="li"
          // Heights are known before messages come into view: so nothing in view moves.
          bufferSize={bufferPixels}
          keepMounted={selectedIndex === -1 ? [] : [selectedIndex]}
          onScroll={onScroll}
          onScrollEnd={() => {
            deferral.current = 'losses';
            version.value += 1;
          }}
          onResize={() => {
            if (followsEnd.current && scroller.current)
              scroller.current.scrollTop = scroller.current.scrollHeight;
            requestAnimationFrame(updateViewport);
          }}
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
        {list.hasNewest &&
          list.pending().map((message) => <PendingRow key={message.localId} message={message} />)}
      </div>
      <ListState list={list} narrow={narrow} onRetry={() => retry()} />
      <Jumps list={list} isEndShown={isEndShown} show={show} />
      <Announcer />
    </div>
  );

  function retry(): void {
    if (list.ids.length === 0) void list.load(anchorOf(target.current ?? start));
    else if (handle.current && isNearStart(handle.current)) void list.loadOlder();
    else void list.loadNewer();
  }
}
