import type { MessageList } from '@parley/client';
import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';

import { marksRead, startOf } from '../../base/router/narrow-kind.ts';
import type { Narrow } from '../../base/router/narrow.ts';
import { peek, userSetting } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { announce } from './announcer.tsx';
import { keepPlace, placeAt } from './reading-places.ts';
import { queueAsRead } from './reading.ts';
import { type Page, type Reader, ScrollController } from './scroll-controller.ts';
import { useList } from './use-list.ts';

interface ScrolledList {
  controller: ScrollController;
  list: MessageList;
  version: Signal<number>;
  handle: RefObject<VirtualizerHandle>;
  scroller: RefObject<HTMLDivElement>;
}

/**
 * Opens the list of a narrow, with what keeps its reader's position.
 * @param entry the entry of the browser's history that is shown
 */
export function useScrollController(narrow: Narrow, entry: string): ScrolledList {
  const handle = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const latest = useRef(narrow);
  latest.current = narrow;
  const { list, version } = useList(narrow, (change) => controller.receive(change));
  const controller = useMemo(
    () => new ScrollController(list, version, pageOf(handle, scroller), readerOf(latest)),
    [list],
  );

  // Before anything else looks at the viewport: what is there says nothing about where the reader is in this entry.
  useLayoutEffect(() => controller.open(entry), [narrow.near, entry]);
  useLayoutEffect(() => controller.settle(), [version.value]);
  useEffect(() => {
    document.addEventListener('visibilitychange', controller.updateViewport);
    const observer = new ResizeObserver(controller.onResize);
    if (scroller.current) observer.observe(scroller.current);
    return () => {
      document.removeEventListener('visibilitychange', controller.updateViewport);
      observer.disconnect();
    };
  }, [controller]);
  return { controller, list, version, handle, scroller };
}

const pageOf = (handle: RefObject<VirtualizerHandle>, scroller: RefObject<HTMLDivElement>): Page => ({
  handle: () => handle.current,
  scroller: () => scroller.current,
  topOf: (id) => document.getElementById(`message-${id}`)?.getBoundingClientRect().top,
  heightOf: (id) => document.getElementById(`message-${id}`)?.closest('li')?.getBoundingClientRect().height,
  beforeDrawing: (act) => void requestAnimationFrame(act),
  isSeen: () => document.visibilityState === 'visible',
});

const readerOf = (narrow: RefObject<Narrow>): Reader => ({
  userId: () => peek().own.user_id,
  start: () => {
    const { current } = narrow;
    return current?.near ?? (current ? startOf(current) : 'newest');
  },
  marksRead: () =>
    !isSpectator() &&
    narrow.current !== null &&
    marksRead(narrow.current, userSetting('web_mark_read_on_scroll_policy')),
  read: queueAsRead,
  announce,
  placeAt,
  keepPlace,
});
