import type { Connection } from '../connection/connect.ts';
import type { Params } from '../connection/encode.ts';
import { applyToMessages } from '../state/apply.ts';
import { noChanges } from '../state/changes.ts';
import { type AnyEvent, kindOf } from '../state/event.ts';
import { type FetchedMessage, type Message, toMessage } from '../state/message.ts';
import { pageForm } from './page-form.ts';

/** What GET /messages answers. */
export interface Reply {
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

/** A page that was asked for before any list was there, but after the registration was answered. */
export interface EarlyPage {
  params: Params;
  reply: Promise<Reply>;
}

/** The way to messages that no event brought. */
export interface History {
  /** Takes a page that is on its way already, for the next fetch if that asks for the same, of whatever size. */
  expect(page: EarlyPage | null): void;
  /** @throws the signal's reason, also after `reset` */
  fetch(params: Params, signal?: AbortSignal): Promise<Page>;
  /** Is called with events once they are applied, because pages on their way may have been read before them. */
  record(events: readonly AnyEvent[]): void;
  /** Aborts all requests. */
  reset(): void;
}

/** An early page is not waited for any more when so many events have come since. */
const eventsMax = 1000;

/** Equal for pages that begin at the same place. */
const ofAnySize = (params: Params): string =>
  JSON.stringify({ ...params, num_before: null, num_after: null });

export function createHistory(connection: Connection): History {
  const underway = new Set<AnyEvent[]>();
  let resetting = new AbortController();
  let early: (EarlyPage & { events: AnyEvent[] }) | null = null;

  function takeEarly(params: Params) {
    const taken = early;
    early = null;
    if (!taken) return null;
    if (ofAnySize(taken.params) === ofAnySize(params) && taken.events.length <= eventsMax) return taken;
    underway.delete(taken.events);
    return null;
  }

  return {
    expect(page) {
      early = page && { ...page, events: [] };
      if (early) underway.add(early.events);
    },
    async fetch(params, signal) {
      const taken = takeEarly(params);
      const events = taken?.events ?? [];
      const combined = AbortSignal.any([resetting.signal, ...(signal ? [signal] : [])]);
      underway.add(events);
      const ask = () => connection.get<Reply>('/messages', { ...pageForm, ...params }, { signal: combined });
      try {
        const reply = await (taken?.reply.catch(ask) ?? ask());
        combined.throwIfAborted();
        return readPage(reply, events);
      } finally {
        underway.delete(events);
      }
    },
    record(events) {
      for (const one of underway) one.push(...events);
      if (early && early.events.length > eventsMax) takeEarly({});
    },
    reset() {
      takeEarly({});
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
