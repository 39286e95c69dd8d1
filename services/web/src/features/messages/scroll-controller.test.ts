import type { ListChange, Message, MessageList } from '@parley/client';
import { signal } from '@preact/signals';
import { describe, expect, test, vi } from 'vitest';

import type { ReadingPlace } from './reading-places.ts';
import { ScrollController, type Target } from './scroll-controller.ts';
import type { ListHandle } from './viewport.ts';

const rowPixels = 100;
/** What a virtual list takes for the height of a row that it has not measured. */
const estimatedPixels = 40;
const viewPixels = 500;

const messageOf = (id: number, flags: string[] = ['read'], sender_id = 2) =>
  ({ id, flags, sender_id }) as unknown as Message;

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** A change that events made. */
const change = (...ids: number[]): ListChange => ({ messages: new Set(ids), isReset: false, side: null });

/** A list whose rows are all of one height, in a page that draws when it is told to. */
class Scene {
  readonly messages = new Map<number, Message>();
  readonly read: number[] = [];
  readonly places = new Map<string, ReadingPlace>();
  readonly list = {
    ids: [] as number[],
    message: (id: number) => this.messages.get(id),
    hasOldest: true,
    hasNewest: true,
    loading: null as MessageList['loading'],
    error: null as unknown,
    load: vi.fn<MessageList['load']>(async () => {
      this.list.loading = 'all';
    }),
    loadOlder: vi.fn<MessageList['loadOlder']>(() => Promise.resolve()),
    loadNewer: vi.fn<MessageList['loadNewer']>(() => Promise.resolve()),
    setViewport: () => undefined,
  };
  readonly controller: ScrollController;
  start: Target = 'first_unread';
  isSeen = true;
  viewHeight = viewPixels;
  /** Whether the virtual list knows the heights of its rows. */
  isMeasured = true;
  /** Where it was told to go last. */
  private goal: (() => void) | null = null;
  private readonly version = signal(0);
  private drawn: readonly number[] = [];
  private top = 0;
  /** The position of which the controller was told last. */
  private told = 0;
  private waiting: (() => void)[] = [];

  constructor(ids: readonly number[], unread: readonly number[] = []) {
    for (const id of ids) this.add(id, unread.includes(id) ? [] : ['read']);
    const { places } = this;
    this.controller = new ScrollController(
      this.list,
      this.version,
      {
        handle: () => this.handle(),
        scroller: () => this.scroller(),
        topOf: (id) => (this.drawn.includes(id) ? this.drawn.indexOf(id) * rowPixels - this.top : undefined),
        heightOf: (id) => (this.drawn.includes(id) ? rowPixels : undefined),
        beforeDrawing: (act) => void this.waiting.push(act),
        isSeen: () => this.isSeen,
      },
      {
        userId: () => 1,
        start: () => this.start,
        marksRead: () => true,
        read: (messages) => void this.read.push(...messages.map(({ id }) => id)),
        announce: () => undefined,
        placeAt: (entry) => places.get(entry) ?? null,
        keepPlace: (entry, place) => void (place ? places.set(entry, place) : places.delete(entry)),
      },
    );
  }

  add(id: number, flags: string[] = [], senderId = 2): void {
    this.messages.set(id, messageOf(id, flags, senderId));
    if (!this.list.ids.includes(id)) this.list.ids.push(id);
    this.list.ids.sort((a, b) => a - b);
  }

  /** Renders what has changed, until nothing does. */
  draw(): void {
    for (let before = -1; before !== this.version.peek();) {
      before = this.version.peek();
      this.drawn = this.controller.next().ids;
      this.controller.settle();
    }
    this.tell();
    for (const act of this.waiting.splice(0)) act();
  }

  /** Browsers tell of every other position, whoever has set it. */
  private tell(): void {
    if (this.told === this.top) return;
    this.told = this.top;
    this.controller.onScroll(this.top);
  }

  open(entry = 'one'): void {
    this.drawn = this.controller.next().ids;
    this.controller.open(entry);
    this.draw();
  }

  scrollTo(top: number): void {
    this.scroller().scrollTop = top;
    this.tell();
    this.controller.onScrollEnd();
    this.draw();
  }

  /** A message comes, or is not what it was. */
  event(id: number, flags: string[] = [], senderId = 2): void {
    this.add(id, flags, senderId);
    this.controller.receive(change(id));
    this.draw();
  }

  /** The first message in view, and how much of it is above the view. */
  get first(): [number | undefined, number] {
    return [this.drawn[Math.floor(this.top / rowPixels)], this.top % rowPixels];
  }

  get isAtEnd(): boolean {
    return this.top === this.height - this.viewHeight;
  }

  /** The virtual list has measured its rows, and goes where it was told to. */
  measure(): void {
    this.isMeasured = true;
    this.goal?.();
    this.controller.onResize();
    this.draw();
  }

  private get row(): number {
    return this.isMeasured ? rowPixels : estimatedPixels;
  }

  private get height(): number {
    return this.drawn.length * this.row;
  }

  private scroller() {
    const set = (top: number) => {
      this.top = Math.max(0, Math.min(top, this.height - this.viewHeight));
    };
    return Object.defineProperties({} as { scrollTop: number; scrollHeight: number; clientHeight: number }, {
      scrollTop: { get: () => this.top, set },
      scrollHeight: { value: this.height },
      clientHeight: { value: this.viewHeight },
    });
  }

  private handle(): ListHandle {
    const { row } = this;
    return {
      scrollOffset: this.top,
      scrollSize: this.height,
      viewportSize: this.viewHeight,
      findItemIndex: (offset) => Math.floor(offset / row),
      getItemOffset: (index) => index * row,
      getItemSize: () => row,
      scrollToIndex: (index, { align = 'start', offset = 0 } = {}) => {
        this.goal = () => {
          const room = viewPixels - this.row;
          const above = align === 'center' ? room / 2 : align === 'end' ? room : 0;
          this.scroller().scrollTop = index * this.row - above + offset;
        };
        this.goal();
      },
    };
  }
}

describe('a list of messages', () => {
  test('begins a little above the first unread message, and says where what is new begins', () => {
    const scene = new Scene(range(1, 41), range(20, 41));
    scene.open();
    expect(scene.first).toEqual([19, 20]);
    expect(scene.controller.firstNew.value).toBe(20);
  });

  test('begins at its end where nothing is unread, and at a message that is asked for', () => {
    const scene = new Scene(range(1, 41));
    scene.open();
    expect(scene.isAtEnd).toBe(true);
    const asked = new Scene(range(1, 41));
    asked.start = 20;
    asked.open();
    expect([asked.first, asked.controller.selected.value]).toEqual([[18, 0], 20]);
  });

  test('begins at the first unread message although the end seemed to be in view before rows had their heights', () => {
    const scene = new Scene(range(1, 41), range(31, 41));
    scene.isMeasured = false;
    scene.open();
    expect(scene.isAtEnd).toBe(true);
    expect(scene.read).toEqual([]);
    scene.measure();
    expect(scene.first).toEqual([30, 20]);
    scene.event(12, ['read']);
    expect(scene.first).toEqual([30, 20]);
    expect(new Set(scene.read)).toEqual(new Set(range(30, 35)));
  });

  test('loads what it begins with, if that is not there', () => {
    const scene = new Scene([]);
    scene.list.hasNewest = false;
    scene.start = 70;
    scene.open();
    expect(scene.list.load.mock.calls).toEqual([[70]]);
  });

  test('follows its end while that is in view', () => {
    const scene = new Scene(range(1, 41));
    scene.open();
    scene.event(41);
    expect([scene.isAtEnd, scene.controller.firstNew.value]).toEqual([true, null]);
    scene.viewHeight = 300;
    scene.controller.onResize();
    expect(scene.isAtEnd).toBe(true);
  });

  test('stays where its reader has scrolled to, and goes to the end for what they write', () => {
    const scene = new Scene(range(1, 41));
    scene.open();
    scene.scrollTo(1030);
    scene.event(41);
    expect([scene.first, scene.controller.firstNew.value]).toEqual([[11, 30], 41]);
    scene.controller.onResize();
    expect(scene.first).toEqual([11, 30]);
    scene.event(42, ['read'], 1);
    expect(scene.isAtEnd).toBe(true);
  });

  test('keeps what is in view in its place when something above it goes or comes', () => {
    const scene = new Scene(range(1, 41));
    scene.open();
    scene.scrollTo(1030);
    scene.messages.delete(5);
    scene.list.ids.splice(scene.list.ids.indexOf(5), 1);
    scene.controller.receive(change(5));
    scene.draw();
    expect(scene.first).toEqual([11, 30]);
    scene.event(5, ['read']);
    expect(scene.first).toEqual([11, 30]);
  });

  test('loads more at the end that is near, one page at a time', () => {
    const scene = new Scene(range(1, 101));
    Object.assign(scene.list, { hasOldest: false, hasNewest: false });
    scene.start = 50;
    scene.open();
    expect([scene.list.loadOlder.mock.calls.length, scene.list.loadNewer.mock.calls.length]).toEqual([0, 0]);
    scene.scrollTo(1500);
    expect(scene.list.loadOlder).toHaveBeenCalled();
    expect(scene.list.loadNewer).not.toHaveBeenCalled();
    scene.list.loading = 'older';
    scene.scrollTo(9000);
    expect(scene.list.loadNewer).not.toHaveBeenCalled();
    scene.list.loading = null;
    scene.scrollTo(9000);
    expect(scene.list.loadNewer).toHaveBeenCalled();
  });

  test('goes back to where its reader was in an entry of the history', () => {
    const scene = new Scene(range(1, 41));
    scene.open('one');
    scene.scrollTo(1030);
    scene.open('two');
    expect(scene.isAtEnd).toBe(true);
    scene.open('one');
    expect(scene.first).toEqual([11, 30]);
    scene.start = 20;
    scene.open('one');
    expect([scene.first, scene.controller.selected.value]).toEqual([[11, 30], 20]);
    scene.start = 'newest';
    // Whoever was at the end goes to what is new since then.
    scene.open('two');
    expect(scene.isAtEnd).toBe(true);
  });

  test('keeps no place, and reads nothing, on its way to what is not loaded yet', () => {
    const scene = new Scene(range(1, 41), range(30, 41));
    scene.start = 70;
    scene.open();
    expect(scene.list.load.mock.calls).toEqual([[70]]);
    scene.scrollTo(1030);
    expect([scene.places.size, scene.read]).toEqual([0, []]);
    scene.add(70, ['read']);
    scene.list.loading = null;
    scene.draw();
    expect(scene.controller.selected.value).toBe(70);
  });
});

describe('messages in view', () => {
  test('are read once they were seen to their end, and a page is seen', () => {
    const scene = new Scene(range(1, 41), range(20, 41));
    scene.isSeen = false;
    scene.open();
    expect(scene.read).toEqual([]);
    scene.isSeen = true;
    scene.controller.updateViewport();
    expect(new Set(scene.read)).toEqual(new Set(range(19, 24)));
  });

  test('stay unread once somebody has marked one of them as unread', () => {
    const scene = new Scene(range(1, 41));
    scene.open();
    scene.read.length = 0;
    scene.event(38, []);
    expect(scene.read).toEqual([]);
    expect(scene.isAtEnd).toBe(true);
  });
});
