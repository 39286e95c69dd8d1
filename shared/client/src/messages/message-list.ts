import { RequestFailed, isTransient } from '../connection/errors.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import { type Listener, createEmitter } from './emitter.ts';
import type { Corrections, History, Match, Page } from './history.ts';
import { hasId } from './ids.ts';
import { type Stretch, cache, consider, extend, noStretch, trim } from './list.ts';
import { type Narrow, narrowKey } from './narrow.ts';
import type { PendingMessage } from './outbox.ts';
import { type Anchor, pageAt } from './page-form.ts';

/** What has happened to a list. */
export interface ListChange {
  /** Messages that came, went or are not what they were. */
  messages: ReadonlySet<number>;
  /** Whether it is another stretch of the narrow than before, of which the place on the screen says nothing. */
  isReset: boolean;
  /** The end at which a page was joined, or all of it; null where events did it. */
  side: 'older' | 'newer' | 'all' | null;
}

/** The messages of a narrow, as far as they are loaded: a stretch without gaps, which events keep true. */
export interface MessageList {
  readonly narrow: Narrow;
  readonly key: string;
  /** Ascending. The same array for as long as the list lives. */
  readonly ids: readonly number[];
  readonly hasOldest: boolean;
  readonly hasNewest: boolean;
  /** What is on its way. */
  readonly loading: 'older' | 'newer' | 'all' | null;
  /** Why the last try to load failed; null after a success. */
  readonly error: unknown;
  /** The message that was meant by the anchor of the last `load`. */
  readonly anchor: number | null;
  /** What is searched for instead of words that no message has. */
  readonly corrections: Corrections;
  readonly message: (id: number) => Message | undefined;
  /** Where the words of a search are in a message. */
  match(id: number): Match | undefined;
  /** The reader's own messages that would be here, and are on their way or have failed. */
  pending(): PendingMessage[];
  /** Loads a stretch around an anchor, in the place of what was there. Failures are in `error`. */
  load(anchor: Anchor): Promise<void>;
  /** Loads more before the first message, or after the last. Does nothing while something is on its way. */
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Sets the message in the middle of the viewport: messages far from it are dropped when there are too many. */
  setViewport(id: number | null): void;
  /** Called once per batch of events and once per page. Returns what ends it. */
  subscribe(listener: Listener<ListChange>): () => void;
  /** The list is not shown any more: it may be forgotten. */
  close(): void;
}

/** What lists of one client share. */
export interface ListContext {
  history: History;
  state(): State;
  /** The client's messages of this narrow that are not in the state yet. */
  pending(narrow: Narrow): PendingMessage[];
  /** Which of the messages match a narrow that only the server can decide. */
  askMatches(narrow: Narrow, ids: readonly number[]): Promise<Map<number, Match>>;
  /** Whether it is worth asking for a list. One that nobody shows is forgotten instead. */
  mayAsk(list: MessageList): boolean;
  close(list: MessageList): void;
  /** Messages were left out, or came: those that no list shows may be evicted. */
  evict(): void;
  /** The most messages of a list, and how many are loaded at once. */
  listMax: number;
  pageSize: number;
}

/** A list with what the client does to it. */
export interface ManagedList extends MessageList {
  readonly stretch: Stretch;
  /** Applies what a batch of events has changed in messages. */
  update(ids: ReadonlySet<number>): void;
  /** Checks each of its messages again, as after the reader muted something, and loads what may be missing. */
  refresh(): Promise<void>;
  /** The pending messages are not what they were. */
  notify(): void;
}

const nothing: ReadonlySet<number> = new Set();

export const createList = (narrow: Narrow, context: ListContext): ManagedList =>
  new LoadedList(narrow, context);

class LoadedList implements ManagedList {
  readonly narrow: Narrow;
  readonly key: string;
  readonly stretch = noStretch();
  readonly ids = this.stretch.ids;
  loading: MessageList['loading'] = null;
  error: unknown = null;
  anchor: number | null = null;
  corrections: Corrections = {};
  private readonly context: ListContext;
  private readonly changed = createEmitter<ListChange>();
  readonly subscribe = this.changed.subscribe;
  /** Aborts the request that is under way. */
  private fetching = new AbortController();
  /** Where the list was to begin when it was loaded last. */
  private wanted: Anchor = 'newest';
  /** Whether the server refuses the narrow: then it is not asked of what events bring. */
  private isRefused = false;
  /** The message that the reader looks at. */
  private readerAt: number | null = null;

  constructor(narrow: Narrow, context: ListContext) {
    this.narrow = narrow;
    this.key = narrowKey(narrow);
    this.context = context;
  }

  get hasOldest(): boolean {
    return this.stretch.hasOldest;
  }

  get hasNewest(): boolean {
    return this.stretch.hasNewest;
  }

  readonly message = (id: number) => this.context.state().messages.get(id);

  match(id: number): Match | undefined {
    return this.stretch.matches.get(id);
  }

  pending(): PendingMessage[] {
    return this.context.pending(this.narrow);
  }

  async load(at: Anchor, isReset = true): Promise<void> {
    this.wanted = at;
    await this.fetch('all', pageAt(at, this.context.pageSize), isReset);
  }

  loadOlder(): Promise<void> {
    return this.loadMore('older');
  }

  loadNewer(): Promise<void> {
    return this.loadMore('newer');
  }

  setViewport(id: number | null): void {
    this.readerAt = id;
  }

  close(): void {
    this.context.close(this);
  }

  update(ids: ReadonlySet<number>): void {
    const changed = new Set<number>();
    this.considerAll(ids, changed);
    trim(this.stretch, this.context.listMax, this.readerAt);
    if (changed.size > 0) this.emit(changed);
  }

  async refresh(): Promise<void> {
    const { ids, hasNewest } = this.stretch;
    const end = hasNewest ? 'newest' : ids.at(-1);
    await this.load(ids.length === 0 ? this.wanted : (this.readerAt ?? end ?? this.wanted), false);
  }

  notify(): void {
    this.emit(nothing);
  }

  private emit(messages: ReadonlySet<number>, isReset = false, side: ListChange['side'] = null): void {
    this.changed.emit({ messages, isReset, side });
  }

  private async loadMore(side: 'older' | 'newer'): Promise<void> {
    const { ids, hasOldest, hasNewest } = this.stretch;
    const end = side === 'older' ? ids[0] : ids.at(-1);
    if (this.loading || end === undefined || (side === 'older' ? hasOldest : hasNewest)) return;
    const counts = side === 'older' ? ['num_before', 'num_after'] : ['num_after', 'num_before'];
    const [wanted = '', other = ''] = counts;
    const params = { anchor: end, include_anchor: false, [wanted]: this.context.pageSize, [other]: 0 };
    await this.fetch(side, params, false);
  }

  /** One at a time: a load of all aborts the request before it. */
  private async fetch(side: 'older' | 'newer' | 'all', params: object, isReset: boolean): Promise<void> {
    this.fetching.abort();
    this.fetching = new AbortController();
    const { signal } = this.fetching;
    this.loading = side;
    this.emit(nothing);
    try {
      const page = await this.context.history.fetch({ narrow: this.narrow, ...params }, signal);
      if (side === 'all') [this.anchor, this.corrections] = [page.anchor, page.corrections];
      [this.loading, this.error, this.isRefused] = [null, null, false];
      this.join(side, page, isReset);
    } catch (failure) {
      if (signal.aborted) return;
      [this.loading, this.error] = [null, failure];
      this.isRefused ||= isRefusal(failure);
      // What there was may not be read any more.
      if (failure instanceof RequestFailed && failure.code === 'BAD_NARROW')
        extend(this.stretch, emptyPage, 'all');
      this.emit(nothing);
    }
  }

  private join(side: 'older' | 'newer' | 'all', page: Page, isReset: boolean): void {
    const { stretch, context } = this;
    cache(context.state(), page.messages);
    extend(stretch, page, side);
    const changed = new Set(page.messages.map(({ id }) => id));
    this.considerAll(page.meanwhile, changed);
    const excess = side === 'older' ? (stretch.ids[0] ?? null) : side === 'newer' ? null : this.readerAt;
    if (side !== 'all') trim(stretch, context.listMax, excess);
    context.evict();
    this.emit(changed, isReset, side);
  }

  private considerAll(ids: ReadonlySet<number>, changed: Set<number>): void {
    const open: number[] = [];
    for (const id of ids) {
      const outcome = consider(this.stretch, this.narrow, id, this.context.state());
      if (outcome === 'changed') changed.add(id);
      if (outcome === 'ask') open.push(id);
    }
    if (open.length > 0 && !this.isRefused && this.context.mayAsk(this)) void this.ask(open);
  }

  private async ask(ids: readonly number[]): Promise<void> {
    const { stretch, context } = this;
    const { signal } = this.fetching;
    const found = await context.askMatches(this.narrow, ids).catch((failure: unknown) => {
      this.isRefused ||= isRefusal(failure);
      return new Map<number, Match>();
    });
    if (signal.aborted || found.size === 0) return;
    const changed = new Set<number>();
    const messages = ids.flatMap((id) => (found.has(id) ? (context.state().messages.get(id) ?? []) : []));
    for (const { id } of messages) {
      if (consider(stretch, [], id, context.state()) === 'changed') changed.add(id);
    }
    for (const [id, match] of found) if (hasId(stretch.ids, id)) stretch.matches.set(id, match);
    this.emit(changed);
  }
}

const isRefusal = (failure: unknown) => failure instanceof RequestFailed && !isTransient(failure);

const emptyPage: Page = {
  messages: [],
  matches: new Map(),
  corrections: {},
  anchor: null,
  foundOldest: true,
  foundNewest: true,
  meanwhile: new Set(),
};
