import type { Anchor, ListChange, MessageList, Message } from '@parley/client';
import { type Signal, signal } from '@preact/signals';

import type { ReadingPlace } from './reading-places.ts';
import { type Deferral, type Step, nextStep } from './steps.ts';
import {
  type InView,
  type ListHandle,
  type Scroller,
  inView,
  isAtEnd,
  isNearEnd,
  isNearStart,
  seenIn,
} from './viewport.ts';

/** Where the list is put when it is laid out. */
export type Target = number | 'first_unread' | 'newest' | 'oldest' | ReadingPlace;

/** The list as it is on the page. */
export interface Page {
  /** The virtual list; null before it is laid out. */
  readonly handle: () => ListHandle | null;
  readonly scroller: () => Scroller | null;
  /** How far a message's top is from that of the window; undefined for one that is not on the page. */
  readonly topOf: (id: number) => number | undefined;
  /** The height of a message's row; undefined for one that is not on the page. */
  readonly heightOf: (id: number) => number | undefined;
  /** Runs something before the page is drawn next. */
  readonly beforeDrawing: (act: () => void) => void;
  /** Returns whether somebody looks at the page. */
  readonly isSeen: () => boolean;
}

/** What the list means to its reader. */
export interface Reader {
  readonly userId: () => number;
  /** Where the list begins, unless the reader was somewhere in it before. */
  readonly start: () => Target;
  /** Returns whether what the reader sees counts as read. */
  readonly marksRead: () => boolean;
  readonly read: (messages: readonly Message[]) => void;
  /** A new message has come. */
  readonly announce: (message: Message) => void;
  /** Where the reader was in an entry of the browser's history; null at the end, or where that is not known. */
  readonly placeAt: (entry: string) => ReadingPlace | null;
  readonly keepPlace: (entry: string, place: ReadingPlace | null) => void;
}

type ScrolledList = Pick<
  MessageList,
  | 'ids'
  | 'message'
  | 'hasOldest'
  | 'hasNewest'
  | 'loading'
  | 'error'
  | 'load'
  | 'loadOlder'
  | 'loadNewer'
  | 'setViewport'
>;

/** The message that a target names. */
const idOf = (at: Target): number | null =>
  typeof at === 'number' ? at : typeof at === 'object' ? at.id : null;

const anchorOf = (at: Target): Anchor => (typeof at === 'object' ? at.id : at);

const isUnread = (message: Message | undefined) => message !== undefined && !message.flags.includes('read');

/** Above the first unread message, so much of what was read before is in view. */
const readPixels = 80;

/**
 * Keeps a reader's position in a list of messages while pages arrive at both ends, messages come and go, heights are
 * measured and the box one writes in grows; and finds out what the reader has seen.
 */
export class ScrollController {
  /** The message at which keys are valid. */
  readonly selected = signal<number | null>(null);
  /** The message with which begins what is new. */
  readonly firstNew = signal<number | null>(null);
  readonly isEndShown = signal(true);
  private readonly list: ScrolledList;
  /** Rises when the list is to be rendered again. */
  private readonly version: Signal<number>;
  private readonly page: Page;
  private readonly reader: Reader;
  private step: Step = nextStep([], []);
  /** Rises when nothing of what was shown is there any more. */
  private generation = 0;
  /** Where the list goes once it can. */
  private target: Target | null = null;
  private followsEnd = false;
  private lastOffset = 0;
  private deferral: Deferral = 'losses';
  /** Whether what is in view counts as read: not any more once the reader has marked something as unread. */
  private isReading = true;
  /** The first message in view before a change, and where it was. */
  private anchor: { id: number; top: number } | null = null;
  /** Messages that were seen when they were read already. */
  private readonly wasRead = new Set<number>();
  private entry = '';

  constructor(list: ScrolledList, version: Signal<number>, page: Page, reader: Reader) {
    this.list = list;
    this.version = version;
    this.page = page;
    this.reader = reader;
  }

  /** The ids that are shown. */
  get ids(): readonly number[] {
    return this.step.ids;
  }

  /** What is shown next: the ids, whether they changed at the start alone, and whether they replace all that was shown. */
  next(): { ids: readonly number[]; isAtStart: boolean; generation: number } {
    const next = nextStep(this.step.ids, this.list.ids, this.deferral);
    if (next.ids !== this.step.ids) {
      if (next.isReplaced) {
        this.generation += 1;
        this.target ??= this.lastOffset === 0 ? this.reader.start() : 'newest';
      }
      this.step = next;
    }
    const { ids, isAtStart } = this.step;
    return { ids, isAtStart, generation: this.generation };
  }

  /** Begins, or goes on, in an entry of the browser's history. */
  readonly open = (entry: string): void => {
    this.entry = entry;
    const [place, start] = [this.reader.placeAt(entry), this.reader.start()];
    if (place && typeof start === 'number') this.selected.value = start;
    this.show(place ?? start);
  };

  readonly show = (at: Target): void => {
    const { list } = this;
    this.target = at;
    this.followsEnd = at === 'newest';
    const id = idOf(at);
    const isThere =
      list.ids.length > 0 &&
      (id !== null ? list.ids.includes(id) : at === 'oldest' ? list.hasOldest : list.hasNewest);
    if (isThere) this.scrollToTarget();
    else void list.load(anchorOf(at));
  };

  /** Loads again what could not be loaded. */
  readonly retry = (): void => {
    const handle = this.page.handle();
    if (this.list.ids.length === 0) void this.list.load(anchorOf(this.target ?? this.reader.start()));
    else if (handle && isNearStart(handle)) void this.list.loadOlder();
    else void this.list.loadNewer();
  };

  /** The list has changed, and is not rendered yet. */
  readonly receive = ({ messages, side }: ListChange): void => {
    const id = this.firstInView();
    const top = id === null ? undefined : this.page.topOf(id);
    this.anchor = id === null || top === undefined ? null : { id, top };
    if (side !== null) return;
    const last = this.step.ids.at(-1) ?? 0;
    for (const one of messages) {
      const message = this.list.message(one);
      if (!message) continue;
      // Whoever marks something as unread while it is in view wants it to stay so.
      if (one <= last) this.isReading &&= !this.wasRead.has(one) || !isUnread(message);
      else this.receiveNew(message);
    }
  };

  /** The list was rendered: its position is set right. */
  readonly settle = (): void => {
    const scroller = this.page.scroller();
    if (this.target !== null) {
      if (!this.list.loading) this.scrollToTarget();
    } else if (this.followsEnd && this.list.hasNewest) this.scrollToEnd();
    else if (this.anchor && !this.step.isAtStart && scroller) {
      const top = this.page.topOf(this.anchor.id);
      if (top !== undefined) scroller.scrollTop += top - this.anchor.top;
    }
    this.anchor = null;
    if (nextStep(this.step.ids, this.list.ids, this.deferral).ids !== this.step.ids) this.version.value += 1;
    else this.page.beforeDrawing(this.updateViewport);
  };

  readonly onScroll = (offset: number): void => {
    const scroller = this.page.scroller();
    if (!scroller) return;
    const handle = this.page.handle();
    const view = handle && inView(handle, this.step.ids.length);
    this.followsEnd =
      (handle !== null && view !== null && this.isEndIn(handle, view, scroller)) ||
      (this.followsEnd && offset >= this.lastOffset);
    if (offset !== this.lastOffset) this.deferral = offset < this.lastOffset ? 'nothing' : 'changes';
    this.lastOffset = offset;
    this.updateViewport();
  };

  readonly onScrollEnd = (): void => {
    this.deferral = 'losses';
    this.version.value += 1;
  };

  /** The list or its surroundings have another height. */
  readonly onResize = (): void => {
    const scroller = this.page.scroller();
    if (this.followsEnd && scroller) scroller.scrollTop = scroller.scrollHeight;
    this.page.beforeDrawing(this.updateViewport);
  };

  /** Loads what is missing near the viewport, and passes on what was seen. */
  readonly updateViewport = (): void => {
    const handle = this.page.handle();
    const { ids } = this.step;
    const view = handle && inView(handle, ids.length);
    if (!view) return;
    const { list } = this;
    list.setViewport(ids[(view.first + view.last) >> 1] ?? null);
    const isThere = this.target === null;
    if (!list.error && !list.loading && isThere) {
      if (isNearStart(handle) && !list.hasOldest) void list.loadOlder();
      else if (isNearEnd(handle) && !list.hasNewest) void list.loadNewer();
    }
    const scroller = this.page.scroller();
    if (!scroller || !this.isMeasured(handle, view)) return;
    this.isEndShown.value = this.isEndIn(handle, view, scroller);
    if (!isThere) return;
    // Whoever sees the end follows it, also where there was nothing to scroll.
    if (this.isEndShown.peek()) this.followsEnd = true;
    this.keepPlace(handle, view.first);
    if (this.page.isSeen()) this.see([...seenIn(handle, view)].map((index) => ids[index] ?? 0));
  };

  /** The first message in view. */
  firstInView(): number | null {
    const handle = this.page.handle();
    const view = handle && inView(handle, this.step.ids.length);
    return (view && this.step.ids[view.first]) ?? null;
  }

  private isEndIn(handle: ListHandle, view: InView, scroller: Scroller): boolean {
    return this.list.hasNewest && isAtEnd(scroller) && this.isMeasured(handle, view);
  }

  /**
   * Returns whether the heights of what is in view are known. Before, all rows have the same small one, so that the end seems
   * to be in view where it is not.
   */
  private isMeasured(handle: ListHandle, { first, last }: InView): boolean {
    return this.step.ids.slice(first, last + 1).every((id, index) => {
      const height = this.page.heightOf(id);
      return height !== undefined && Math.abs(height - handle.getItemSize(first + index)) <= 1;
    });
  }

  private keepPlace(handle: ListHandle, index: number): void {
    const id = this.step.ids[index];
    if (id === undefined) return;
    const top = handle.getItemOffset(index) - handle.scrollOffset;
    this.reader.keepPlace(this.entry, this.isEndShown.peek() ? null : { id, top });
  }

  private see(ids: readonly number[]): void {
    const messages = ids.flatMap((id) => this.list.message(id) ?? []);
    for (const message of messages) if (!isUnread(message)) this.wasRead.add(message.id);
    if (this.isReading && this.reader.marksRead()) this.reader.read(messages);
  }

  private receiveNew(message: Message): void {
    this.reader.announce(message);
    if (message.sender_id === this.reader.userId()) this.followsEnd = true;
    else if ((!this.followsEnd || !this.page.isSeen()) && isUnread(message))
      this.firstNew.value ??= message.id;
  }

  private scrollToTarget(): void {
    const { ids } = this.step;
    const at = this.target;
    const handle = this.page.handle();
    if (!handle || ids.length === 0 || at === null) return;
    this.target = null;
    const unread = ids.findIndex((id) => isUnread(this.list.message(id)));
    this.firstNew.value ??= at === 'newest' || unread === -1 ? null : (ids[unread] ?? null);
    const wanted = idOf(at);
    const index = wanted !== null ? ids.findIndex((id) => id >= wanted) : at === 'oldest' ? 0 : unread;
    if (typeof at === 'number' && ids[index] === at && at === this.reader.start()) this.selected.value = at;
    if (at === 'newest' || index === -1) this.scrollToEnd();
    else if (typeof at === 'number') handle.scrollToIndex(index, { align: 'center' });
    else if (typeof at === 'object') handle.scrollToIndex(index, { align: 'start', offset: -at.top });
    else handle.scrollToIndex(index, { align: 'start', offset: at === 'oldest' ? 0 : -readPixels });
    this.page.beforeDrawing(this.updateViewport);
  }

  private scrollToEnd(): void {
    this.followsEnd = true;
    this.page.handle()?.scrollToIndex(this.step.ids.length - 1, { align: 'end' });
    const scroller = this.page.scroller();
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  }
}
