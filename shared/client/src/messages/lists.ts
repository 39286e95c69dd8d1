import type { Connection } from '../connection/connect.ts';
import type { Changes } from '../state/changes.ts';
import type { Message, Messages } from '../state/message.ts';
import type { State } from '../state/state.ts';
import { createEviction } from './eviction.ts';
import type { History, Match } from './history.ts';
import { covers } from './list.ts';
import { type ListContext, type ManagedList, type MessageList, createList } from './message-list.ts';
import { type Narrow, dependsOnPolicies, matches, mayMatchAt, narrowKey } from './narrow.ts';
import { type PendingMessage, asMessage } from './outbox.ts';
import { usualPageSize } from './page-form.ts';

/** The lists of a client: open ones, and some that were closed, so that going back is at once. */
export interface Lists {
  /** The list of a narrow: the same for as long as it is open, and for a while after. */
  open(narrow: Narrow): MessageList;
}

export interface ManagedLists extends Lists {
  /** Applies what a batch of events has changed. */
  apply(changes: Changes): void;
  /** Those of the messages that an open list shows. */
  shown(messages: Messages): Messages;
  /** The state is another: what the lists show is loaded anew. */
  restart(): void;
  /** Own messages on their way are not what they were. */
  notify(message: PendingMessage): void;
}

export interface ListsOptions {
  /** The most messages of one list; what is farthest from the reader is left out. */
  listMax?: number;
  /** The most lists that are kept after they were closed. */
  closedListsMax?: number;
  pageSize?: number;
}

interface ListsContext {
  connection: Connection;
  history: History;
  readonly state: () => State;
  readonly pending: () => Iterable<PendingMessage>;
}

export const createLists = (context: ListsContext, options: ListsOptions = {}): ManagedLists =>
  new KeptLists(context, options);

/** A list, and how many show it. */
interface KeptList {
  list: ManagedList;
  openings: number;
}

class KeptLists implements ManagedLists {
  private readonly context: ListsContext;
  private readonly closedListsMax: number;
  private readonly pageSize: number;
  /** In the order in which they were opened or closed last. */
  private readonly lists = new Map<string, KeptList>();
  private readonly evict = createEviction(() => this.all().map(({ ids }) => ids));
  /** What the lists share. */
  private readonly ofLists: ListContext;

  constructor(
    context: ListsContext,
    { listMax = 10_000, closedListsMax = 8, pageSize = usualPageSize }: ListsOptions,
  ) {
    const { history, state, pending } = context;
    this.context = context;
    this.closedListsMax = closedListsMax;
    this.pageSize = pageSize;
    this.ofLists = {
      history,
      state,
      listMax,
      pageSize,
      evict: () => this.evict(state()),
      pending: (narrow) => [...pending()].filter((message) => this.isPendingIn(narrow, message)),
      askMatches: (narrow, ids) => this.askMatches(narrow, ids),
      mayAsk: ({ key }) => this.mayAsk(key),
      close: ({ key }) => this.close(key),
    };
  }

  open(narrow: Narrow): MessageList {
    const key = narrowKey(narrow);
    const entry = this.lists.get(key) ?? { list: createList(narrow, this.ofLists), openings: 0 };
    entry.openings += 1;
    this.use(key, entry);
    return entry.list;
  }

  apply(changes: Changes): void {
    const { channels } = changes.questions;
    const hasNewPolicies = changes.slices.has('topics') || changes.slices.has('subscriptions');
    for (const list of this.all()) {
      if (changes.messages.size > 0) list.update(changes.messages);
      const isOld =
        (channels.size > 0 && isOfChannel(list, channels)) ||
        (hasNewPolicies && dependsOnPolicies(list.narrow));
      if (isOld) void list.refresh();
    }
    if (changes.questions.moved.size > 0) void this.fetchMoved(changes).catch(() => undefined);
    this.evict(this.context.state());
  }

  shown(messages: Messages): Messages {
    const ids = [...this.lists.values()].flatMap(({ list, openings }) => (openings > 0 ? [...list.ids] : []));
    return new Map(
      ids.flatMap((id) => (messages.has(id) ? [[id, messages.get(id)] as [number, Message]] : [])),
    );
  }

  restart(): void {
    for (const [key, { list, openings }] of this.lists) {
      if (openings === 0) this.lists.delete(key);
      else void list.refresh();
    }
  }

  notify(message: PendingMessage): void {
    for (const list of this.all()) if (this.isPendingIn(list.narrow, message)) list.notify();
  }

  private all(): ManagedList[] {
    return [...this.lists.values()].map(({ list }) => list);
  }

  private use(key: string, entry: KeptList): void {
    this.lists.delete(key);
    this.lists.set(key, entry);
  }

  private close(key: string): void {
    const entry = this.lists.get(key);
    if (!entry) return;
    entry.openings = Math.max(0, entry.openings - 1);
    this.use(key, entry);
    const closed = [...this.lists].filter(([, { openings }]) => openings === 0);
    for (const [one] of closed.slice(0, -this.closedListsMax)) this.lists.delete(one);
  }

  private mayAsk(key: string): boolean {
    if (this.lists.get(key)?.openings !== 0) return true;
    this.lists.delete(key);
    return false;
  }

  private isPendingIn(narrow: Narrow, message: PendingMessage): boolean {
    const state = this.context.state();
    return matches(narrow, asMessage(message, state), state) === true;
  }

  private async askMatches(narrow: Narrow, ids: readonly number[]): Promise<Map<number, Match>> {
    const params = { msg_ids: ids, narrow };
    type Reply = { messages: Record<string, { match_content: string; match_subject: string }> };
    const { messages } = await this.context.connection.get<Reply>('/messages/matches_narrow', params);
    return new Map(
      Object.entries(messages).map(([id, one]): [number, Match] => [
        Number(id),
        { content: one.match_content, subject: one.match_subject },
      ]),
    );
  }

  /** Fetches messages that the client does not have and that may have moved into a list, and considers them. */
  private async fetchMoved({ questions }: Changes): Promise<void> {
    const wanted = [...questions.moved].filter(([id, place]) =>
      this.all().some(({ narrow, stretch }) => covers(stretch, id) && mayMatchAt(narrow, place)),
    );
    const ids = wanted.map(([id]) => id).slice(-this.pageSize * 10);
    if (ids.length === 0) return;
    const { messages } = await this.context.history.fetch({ message_ids: ids });
    const fetched = new Set<number>();
    for (const message of messages) {
      this.context.state().messages.set(message.id, message);
      fetched.add(message.id);
    }
    for (const list of this.all()) list.update(fetched);
  }
}

function isOfChannel({ narrow }: ManagedList, channels: ReadonlySet<number>): boolean {
  const named = narrow.find(({ operator, negated }) => operator === 'channel' && !negated);
  return named === undefined || channels.has(Number(named.operand));
}
