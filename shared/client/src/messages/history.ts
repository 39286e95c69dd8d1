import type { Connection } from '../connection/connect.ts';
import type { Params } from '../connection/encode.ts';
import { applyToMessages } from '../state/apply.ts';
import { noChanges } from '../state/changes.ts';
import { type AnyEvent, kindOf } from '../state/event.ts';
import { type FetchedMessage, type Message, toMessage } from '../state/message.ts';

interface Reply {
  messages: (FetchedMessage & { match_content?: string; match_subject?: string })[];
  anchor?: number;
  found_oldest: boolean;
  found_newest: boolean;
  search_corrections?: Corrections;
}

/** Words that were searched for instead of one that no message has. */
export type Corrections = Readonly<Record<string, readonly string[]>>;

/** Where the words of a search are in a message: HTML. */
export interface Match {
  content: string;
  subject: string;
}

/** A page of history as it is once the events are applied that came while it was on its way. */
export interface Page {
  messages: Message[];
  matches: Map<number, Match>;
  corrections: Corrections;
  /** The message that is meant by an anchor such as `first_unread`. */
  anchor: number | null;
  foundOldest: boolean;
  foundNewest: boolean;
  /** Messages that these events were about. */
  meanwhile: Set<number>;
}

/** The way to messages that no event brought. */
export interface History {
  /** @throws the signal's reason, also after `reset` */
  fetch(params: Params, signal?: AbortSignal): Promise<Page>;
  /** Is called with events once they are applied, because pages on their way may have been read before them. */
  record(events: readonly AnyEvent[]): void;
  /** Aborts all requests. */
  reset(): void;
}

export function createHistory(connection: Connection): History {
  const underway = new Set<AnyEvent[]>();
  let resetting = new AbortController();

  return {
    async fetch(params, signal) {
      const events: AnyEvent[] = [];
      const combined = AbortSignal.any([resetting.signal, ...(signal ? [signal] : [])]);
      underway.add(events);
      try {
        const form = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true };
        const reply = await connection.get<Reply>('/messages', { ...form, ...params }, { signal: combined });
        combined.throwIfAborted();
        return readPage(reply, events);
      } finally {
        underway.delete(events);
      }
    },
    record(events) {
      for (const one of underway) one.push(...events);
    },
    reset() {
      resetting.abort();
      resetting = new AbortController();
    },
  };
}

function readPage(reply: Reply, events: readonly AnyEvent[]): Page {
  const messages = new Map(reply.messages.map((one) => [one.id, toMessage(one, one.flags)]));
  const changes = { ...noChanges(), isReplay: true };
  for (const event of events) {
    const { id } = (event['message'] ?? {}) as { id?: number };
    if (kindOf(event) !== 'message') applyToMessages(messages, event, changes);
    else if (id !== undefined) changes.messages.add(id);
  }
  const matches = new Map<number, Match>();
  for (const { id, match_content: content, match_subject: subject } of reply.messages) {
    if (content !== undefined && subject !== undefined) matches.set(id, { content, subject });
  }
  return {
    messages: [...messages.values()],
    matches,
    corrections: reply.search_corrections ?? {},
    anchor: reply.anchor ?? null,
    foundOldest: reply.found_oldest,
    foundNewest: reply.found_newest,
    meanwhile: changes.messages,
  };
}
