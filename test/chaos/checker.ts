import type { Entry, IdForm } from '@parley/protocol';

const missingMax = 5;

/** What one client heard on one queue, in the order of hearing. */
interface Heard {
  id: number;
  type: string;
  messageId: number | null;
  atMs: number;
}

/** How the ids of a queue begin: with the entry up to which its client had everything when it registered. */
export interface QueueStart {
  idForm: IdForm;
  seq: number;
}

export interface WatchedQueue {
  userId: number;
  start: QueueStart;
  /** Entries up to this one are not looked at. */
  registeredAt: number;
  /** When its client registered it, and what of the newest messages it read then, by their ids. */
  registeredMs?: number;
  fetched?: ReadonlyMap<number, string>;
  eventTypes: string[] | null;
  /** Name of the one channel, or direct messages alone. */
  narrow: { channel: string } | 'dm' | null;
  allPublic: boolean;
  heard: Heard[];
}

export interface AttemptedSend {
  localId: string;
  /** Null when no answer said that it was sent. */
  messageId: number | null;
  /** When it was acknowledged, or given up. */
  endedMs?: number;
  /** The longest that any of its tries waited for an answer, whatever that was. */
  slowestAnswerMs: number;
}

/** The log as Postgres holds it, with the audiences it refers to. */
export interface RecordedLog {
  entries: { entry: Entry; appendedAtMs: number }[];
  audiences: ReadonlyMap<number, ReadonlySet<number>>;
  messagesByLocalId: ReadonlyMap<string, number[]>;
  /** The texts of the newest messages by their ids, and the id from which on all are among them. */
  contents: ReadonlyMap<number, string>;
  contentsFrom: number;
}

export interface Verdict {
  heard: number;
  /** Admitted events that a queue did not hear. */
  lost: number;
  /** Events that a queue heard again. */
  repeated: number;
  /** Events that a queue heard after a later one, and ids that did not rise. */
  reordered: number;
  /** Events that a queue heard and should not have. */
  leaked: number;
  /** Acknowledged sends that are not in the log, or sent twice. */
  writesLost: number;
  writesRepeated: number;
  /**
   * Acknowledged sends that are gone with the end of the log, each for every client that was not told to register anew
   * since, and messages that a client holds and that are not there. What a client heard or missed on the queue that it has
   * is in `lost` and `leaked`.
   */
  silent: number;
  /** The first few events and writes that were lost, in words. */
  missing: string[];
  /** Longest time between an event's position in the log and a client's hearing of it. */
  longestPauseMs: number;
  /** Longest time that a send waited for an answer, a refusal too. */
  slowestAnswerMs: number;
}

/**
 * Compares what every client heard with the log. Its own idea of who should hear what is written down here again, on
 * purpose: a mistake in the server's must not excuse itself.
 */
export function check(
  queues: readonly WatchedQueue[],
  sends: readonly AttemptedSend[],
  log: RecordedLog,
): Verdict {
  const verdict: Verdict = {
    heard: 0,
    lost: 0,
    repeated: 0,
    reordered: 0,
    leaked: 0,
    writesLost: 0,
    writesRepeated: 0,
    silent: 0,
    missing: [],
    longestPauseMs: 0,
    slowestAnswerMs: Math.max(0, ...sends.map((send) => send.slowestAnswerMs)),
  };
  for (const queue of queues) {
    checkQueue(queue, log, verdict);
    checkFetched(queue, log, verdict);
  }
  for (const { localId, messageId, endedMs = 0 } of sends) {
    const written = log.messagesByLocalId.get(localId) ?? [];
    if (written.length > 1) verdict.writesRepeated += 1;
    if (messageId === null || written.includes(messageId)) continue;
    verdict.writesLost += 1;
    verdict.silent += queues.filter(({ registeredMs = 0 }) => registeredMs < endedMs).length;
    if (verdict.missing.length >= missingMax) continue;
    const found = written.length > 0 ? `has the id ${written.join(' and ')}` : 'is not there';
    verdict.missing.push(`The message ${localId} was acknowledged with the id ${messageId}; it ${found}.`);
  }
  return verdict;
}

function checkQueue(queue: WatchedQueue, log: RecordedLog, verdict: Verdict): void {
  const expected = new Map(
    log.entries
      .filter(({ entry }) => entry.seq > queue.registeredAt && isFor(queue, entry, log))
      .map((recorded) => [recorded.entry.seq, recorded]),
  );
  const seen = new Set<number>();
  let [lastId, lastSeq] = [-1, -1];
  for (const { id, type, messageId, atMs } of queue.heard) {
    if (id <= lastId) verdict.reordered += 1;
    lastId = Math.max(lastId, id);
    if (type === 'heartbeat') continue;
    verdict.heard += 1;
    const seq = seqOf(queue.start, id);
    const recorded = expected.get(seq);
    if (!recorded || messageIdOf(recorded.entry) !== messageId) verdict.leaked += 1;
    else if (seen.has(seq)) verdict.repeated += 1;
    else {
      if (seq < lastSeq) verdict.reordered += 1;
      verdict.longestPauseMs = Math.max(verdict.longestPauseMs, atMs - recorded.appendedAtMs);
    }
    seen.add(seq);
    lastSeq = Math.max(lastSeq, seq);
  }
  for (const seq of expected.keys()) {
    if (seen.has(seq)) continue;
    verdict.lost += 1;
    if (verdict.missing.length >= missingMax) continue;
    verdict.missing.push(
      `User ${queue.userId} did not hear entry ${seq}; the last that they heard is ${lastSeq}.`,
    );
  }
}

/** What a client read when it registered has to be there still: nobody edits or deletes. */
function checkFetched({ userId, fetched }: WatchedQueue, log: RecordedLog, verdict: Verdict): void {
  for (const [id, content] of fetched ?? []) {
    if (id < log.contentsFrom || log.contents.get(id) === content) continue;
    verdict.silent += 1;
    if (verdict.missing.length < missingMax)
      verdict.missing.push(`User ${userId} has read the message ${id}, which is not there, or is another.`);
  }
}

/**
 * The entry that an event with this id is of. Of the eight ids of an entry, three are its events'; the first of the
 * others, behind the registration, is 0.
 */
const seqOf = ({ idForm, seq }: QueueStart, id: number): number =>
  idForm === 'wide' ? Math.floor(id / 1_000_000) : seq + Math.floor((id + 3) / 8);

interface LoggedMessage {
  id: number;
  type: string;
  display_recipient: unknown;
}

const messageOf = ({ event }: Entry): LoggedMessage | null =>
  event.type === 'message' ? (event['message'] as LoggedMessage) : null;

const messageIdOf = (entry: Entry): number | null => messageOf(entry)?.id ?? null;

function isFor(queue: WatchedQueue, entry: Entry, { audiences }: RecordedLog): boolean {
  const { type } = entry.event;
  if (type === 'key_regenerated' || type === 'realm_renamed' || type === 'room') return false;
  if (queue.eventTypes && !queue.eventTypes.includes(type)) return false;
  const { users, members, except, open } = entry.audience;
  if (except?.includes(queue.userId)) return false;
  const isAddressed =
    (!users && !members) ||
    users?.includes(queue.userId) === true ||
    members?.some((id) => audiences.get(id)?.has(queue.userId)) === true ||
    (type === 'message' && open === true && queue.allPublic);
  if (!isAddressed) return false;
  const message = messageOf(entry);
  if (!message || queue.narrow === null) return true;
  return queue.narrow === 'dm'
    ? message.type === 'private'
    : message.display_recipient === queue.narrow.channel;
}
