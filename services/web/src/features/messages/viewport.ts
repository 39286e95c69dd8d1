import type { VirtualizerHandle } from 'virtua';

/** What is asked of a virtual list, and done to it. */
export type ListHandle = Pick<
  VirtualizerHandle,
  | 'scrollOffset'
  | 'scrollSize'
  | 'viewportSize'
  | 'findItemIndex'
  | 'getItemOffset'
  | 'getItemSize'
  | 'scrollToIndex'
>;

/** What scrolls. */
export type Scroller = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;

/** Which of the shown messages are in view, by their positions. Null before the list is laid out. */
export interface InView {
  first: number;
  last: number;
}

export function inView(handle: ListHandle, count: number): InView | null {
  const { scrollOffset, viewportSize } = handle;
  if (viewportSize === 0 || count === 0) return null;
  return {
    first: handle.findItemIndex(scrollOffset),
    last: Math.min(count - 1, handle.findItemIndex(scrollOffset + viewportSize - 1)),
  };
}

/** What is a little below the edge counts as seen. */
const slack = 8;

/** Yields the positions of messages that were seen to their end. */
export function* seenIn(handle: ListHandle, { first, last }: InView): Iterable<number> {
  const edge = handle.scrollOffset + handle.viewportSize + slack;
  for (let index = first; index <= last; index += 1) {
    if (handle.getItemOffset(index) + handle.getItemSize(index) <= edge) yield index;
  }
}

/** So near an end, more is loaded. */
const nearPixels = 2000;

export const isNearStart = ({ scrollOffset }: ListHandle): boolean => scrollOffset < nearPixels;

export const isNearEnd = ({ scrollOffset, viewportSize, scrollSize }: ListHandle): boolean =>
  scrollSize - scrollOffset - viewportSize < nearPixels;

/** Returns whether the end of a scrolling element is in view. */
export const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: Scroller): boolean =>
  scrollHeight - scrollTop - clientHeight < 30;
