import { RequestFailed } from '../connection/errors.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import { type Listener, createEmitter } from './emitter.ts';
import type { History, Match, Page } from './history.ts';
import { hasId } from './ids.ts';
import { type Stretch, cache, consider, extend, noStretch, trim } from './list.ts';
import { type Narrow, narrowKey } from './narrow.ts';
import type { PendingMessage } from './outbox.ts';

/** Where a list begins: at a message, or at what the server knows by these names. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

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

export function createList(narrow: Narrow, context: ListContext): ManagedList {
  const stretch = noStretch();
  const { subscribe, emit } = createEmitter<ListChange>();
  let [loading, fetching]: [MessageList['loading'], AbortController] = [null, new AbortController()];
  let wanted: Anchor = 'newest';
  let [error, anchor, readerAt]: [unknown, number | null, number | null] = [null, null, null];

  /** One at a time: a load of all aborts the request before it. */
  async function fetch(side: 'older' | 'newer' | 'all', params: object, isReset: boolean): Promise<void> {
    fetching.abort();
    fetching = new AbortController();
    const { signal } = fetching;
    loading = side;
    emit({ messages: nothing, isReset: false, side: null });
    try {
      const page = await context.history.fetch({ narrow, ...params }, signal);
      if (side === 'all') anchor = page.anchor;
      [loading, error] = [null, null];
      join(side, page, isReset);
    } catch (failure) {
      if (signal.aborted) return;
      [loading, error] = [null, failure];
      // What there was may not be read any more.
      if (failure instanceof RequestFailed && failure.code === 'BAD_NARROW')
        extend(stretch, emptyPage, 'all');
      emit({ messages: nothing, isReset: false, side: null });
    }
  }

  function join(side: 'older' | 'newer' | 'all', page: Page, isReset: boolean): void {
    cache(context.state(), page.messages);
    extend(stretch, page, side);
    const changed = new Set(page.messages.map(({ id }) => id));
    considerAll(page.meanwhile, changed);
    const excess = side === 'older' ? (stretch.ids[0] ?? null) : side === 'newer' ? null : readerAt;
    if (side !== 'all') trim(stretch, context.listMax, excess);
    context.evict();
    emit({ messages: changed, isReset, side });
  }

  function considerAll(ids: ReadonlySet<number>, changed: Set<number>): void {
    const open: number[] = [];
    for (const id of ids) {
      const outcome = consider(stretch, narrow, id, context.state());
      if (outcome === 'changed') changed.add(id);
      if (outcome === 'ask') open.push(id);
    }
    if (open.length > 0) void ask(open);
  }

  async function ask(ids: readonly number[]): Promise<void> {
    const { signal } = fetching;
    const found = await context.askMatches(narrow, ids).catch(() => new Map<number, Match>());
    if (signal.aborted || found.size === 0) return;
    const changed = new Set<number>();
    const messages = ids.flatMap((id) => (found.has(id) ? (context.state().messages.get(id) ?? []) : []));
    for (const { id } of messages) {
      if (consider(stretch, [], id, context.state()) === 'changed') changed.add(id);
    }
    for (const [id, match] of found) if (hasId(stretch.ids, id)) stretch.matches.set(id, match);
    emit({ messages: changed, isReset: false, side: null });
  }

  async function load(at: Anchor, isReset = true): Promise<void> {
    wanted = at;
    const { pageSize } = context;
    const half = Math.ceil(pageSize / 2);
    const counts =
      at === 'newest'
        ? { num_before: pageSize, num_after: 0 }
        : at === 'oldest'
          ? { num_before: 0, num_after: pageSize }
          : { num_before: half, num_after: half };
    await fetch('all', { anchor: String(at), ...counts }, isReset);
  }

  async function loadMore(side: 'older' | 'newer'): Promise<void> {
    const { ids, hasOldest, hasNewest } = stretch;
    const end = side === 'older' ? ids[0] : ids.at(-1);
    if (loading || end === undefined || (side === 'older' ? hasOldest : hasNewest)) return;
    const counts = side === 'older' ? ['num_before', 'num_after'] : ['num_after', 'num_before'];
    const [wanted = '', other = ''] = counts;
    const params = { anchor: end, include_anchor: false, [wanted]: context.pageSize, [other]: 0 };
    await fetch(side, params, false);
  }

  const list: ManagedList = {
    narrow,
    key: narrowKey(narrow),
    stretch,
    ids: stretch.ids,
    get hasOldest() {
      return stretch.hasOldest;
    },
    get hasNewest() {
      return stretch.hasNewest;
    },
    get loading() {
      return loading;
    },
    get error() {
      return error;
    },
    get anchor() {
      return anchor;
    },
    message: (id) => context.state().messages.get(id),
    match: (id) => stretch.matches.get(id),
    pending: () => context.pending(narrow),
    load,
    loadOlder: () => loadMore('older'),
    loadNewer: () => loadMore('newer'),
    setViewport(id) {
      readerAt = id;
    },
    subscribe,
    close: () => context.close(list),
    update(ids) {
      const changed = new Set<number>();
      considerAll(ids, changed);
      trim(stretch, context.listMax, readerAt);
      if (changed.size > 0) emit({ messages: changed, isReset: false, side: null });
    },
    async refresh() {
      const end = stretch.hasNewest ? 'newest' : stretch.ids.at(-1);
      await load(stretch.ids.length === 0 ? wanted : (readerAt ?? end ?? wanted), false);
    },
    notify: () => emit({ messages: nothing, isReset: false, side: null }),
  };
  return list;
}

const emptyPage: Page = {
  messages: [],
  matches: new Map(),
  anchor: null,
  foundOldest: true,
  foundNewest: true,
  meanwhile: new Set(),
};
