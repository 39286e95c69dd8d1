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

export function createLists(
  { connection, history, state, pending }: ListsContext,
  { listMax = 10_000, closedListsMax = 8, pageSize = 100 }: ListsOptions = {},
): ManagedLists {
  /** In the order in which they were opened or closed last. */
  const lists = new Map<string, { list: ManagedList; openings: number }>();
  const evict = createEviction(() => [...lists.values()].map(({ list }) => list.ids));

  const isPendingIn = (narrow: Narrow, message: PendingMessage) =>
    matches(narrow, asMessage(message, state()), state()) === true;
  const context: ListContext = {
    history,
    state,
    listMax,
    pageSize,
    evict: () => evict(state()),
    pending: (narrow) => [...pending()].filter((message) => isPendingIn(narrow, message)),
    async askMatches(narrow, ids) {
      const params = { msg_ids: ids, narrow };
      type Reply = { messages: Record<string, { match_content: string; match_subject: string }> };
      const { messages } = await connection.get<Reply>('/messages/matches_narrow', params);
      return new Map(
        Object.entries(messages).map(([id, one]): [number, Match] => [
          Number(id),
          { content: one.match_content, subject: one.match_subject },
        ]),
      );
    },
    close({ key }) {
      const entry = lists.get(key);
      if (!entry) return;
      entry.openings = Math.max(0, entry.openings - 1);
      use(key, entry);
      const closed = [...lists].filter(([, { openings }]) => openings === 0);
      for (const [one] of closed.slice(0, -closedListsMax)) lists.delete(one);
    },
  };

  function use(key: string, entry: { list: ManagedList; openings: number }): void {
    lists.delete(key);
    lists.set(key, entry);
  }

  const all = () => [...lists.values()].map(({ list }) => list);

  /** Fetches messages that the client does not have and that may have moved into a list, and considers them. */
  async function fetchMoved({ questions }: Changes): Promise<void> {
    const wanted = [...questions.moved].filter(([id, place]) =>
      all().some(({ narrow, stretch }) => covers(stretch, id) && mayMatchAt(narrow, place)),
    );
    const ids = wanted.map(([id]) => id).slice(-pageSize * 10);
    if (ids.length === 0) return;
    const { messages } = await history.fetch({ message_ids: ids });
    const fetched = new Set<number>();
    for (const message of messages) {
      state().messages.set(message.id, message);
      fetched.add(message.id);
    }
    for (const list of all()) list.update(fetched);
  }

  const isOfChannel = ({ narrow }: ManagedList, channels: ReadonlySet<number>) => {
    const named = narrow.find(({ operator, negated }) => operator === 'channel' && !negated);
    return named === undefined || channels.has(Number(named.operand));
  };

  return {
    open(narrow) {
      const key = narrowKey(narrow);
      const entry = lists.get(key) ?? { list: createList(narrow, context), openings: 0 };
      entry.openings += 1;
      use(key, entry);
      return entry.list;
    },
    apply(changes) {
      const { channels } = changes.questions;
      const hasNewPolicies = changes.slices.has('topics') || changes.slices.has('subscriptions');
      for (const list of all()) {
        if (changes.messages.size > 0) list.update(changes.messages);
        const isOld =
          (channels.size > 0 && isOfChannel(list, channels)) ||
          (hasNewPolicies && dependsOnPolicies(list.narrow));
        if (isOld) void list.refresh();
      }
      if (changes.questions.moved.size > 0) void fetchMoved(changes).catch(() => undefined);
      evict(state());
    },
    shown(messages) {
      const ids = [...lists.values()].flatMap(({ list, openings }) => (openings > 0 ? [...list.ids] : []));
      return new Map(
        ids.flatMap((id) => (messages.has(id) ? [[id, messages.get(id)] as [number, Message]] : [])),
      );
    },
    restart() {
      for (const [key, { list, openings }] of lists) {
        if (openings === 0) lists.delete(key);
        else void list.refresh();
      }
    },
    notify(message) {
      for (const list of all()) if (isPendingIn(list.narrow, message)) list.notify();
    },
  };
}
