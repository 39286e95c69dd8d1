import type { Entry, PendingEvent } from '@parley/protocol';

import type { Place } from '../world.ts';
import type { DatabaseState, Head, LogRow, LoggedMessage } from './state.ts';

/** The server that carries a statement out, as far as its functions depend on it. */
export interface Run {
  readonly state: DatabaseState;
  /** When it was started, in microseconds: pg_postmaster_start_time(). */
  readonly startedUs: number;
  readonly nowMs: number;
  readonly randomUuid: () => string;
  /** The process that asks. */
  readonly asker: Place;
}

/** A row that append_events or append_plain_messages returns. */
export interface AppendedRow {
  outcome: 'written' | 'opening' | 'repeated' | 'stale';
  message_id: number | null;
  seq: number | null;
  entry: string | null;
}

/** As log_term.sql. */
const logTerm = ({ startedUs }: Pick<Run, 'startedUs'>, epoch: string): string =>
  epoch.slice(0, 8) + startedUs.toString(16);

/** A number below 2^31 that follows from a text, as hashtext is, though another one. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash & 0x7fffffff;
}

/** As next_rules_version.sql. */
function nextRulesVersion(run: Run, head: Head): number {
  const term = logTerm(run, head.epoch);
  return head.term === term ? head.rulesVersion : head.rulesVersion + 1 + hashOf(term);
}

/** As rules_version_of.sql. */
export const rulesVersionOf = (run: Run, head: Head): number =>
  head.term === '' ? head.rulesVersion : nextRulesVersion(run, head);

/** As last_message_id.sql, where each realm counts its own messages. */
const lastMessageId = (head: Head, term: string): number =>
  head.term === '' || head.term === term ? head.messageId : head.messageId + 1000;

/** A position that somebody claims. */
export interface ClaimRow {
  realmId: number;
  /** How the epoch begins that the log had then. */
  epoch: string;
  seq: number;
  term: string;
  /** How long ago whoever says so had it acknowledged; null if it has only read of it. */
  ageMs: number | null;
}

/** As position_is_lost.sql. */
export function positionIsLost(
  { state, nowMs }: Run,
  { realmId, epoch, seq, term, ageMs }: ClaimRow,
): boolean | null {
  const head = state.heads.get(realmId);
  if (!head) return null;
  const next = rowAt(state, realmId, seq + 1);
  const found = rowAt(state, realmId, seq)?.term ?? next?.entry.previousTerm ?? next?.term ?? null;
  if (head.formerEpochs.includes(epoch)) {
    const { epochBeganMs } = head;
    return ageMs !== null && epochBeganMs !== null && epochBeganMs < nowMs - ageMs && found !== term;
  }
  if (epoch !== head.epoch.slice(0, 8) || head.seq < seq) return true;
  const known = found ?? (head.seq === seq ? head.term : null);
  return known === null ? null : known !== term;
}

/** Returns the entry with a number, if it is kept. */
export function rowAt(state: DatabaseState, realmId: number, seq: number): LogRow | undefined {
  return seq > (state.trimmed.get(realmId) ?? 0) ? state.logs.get(realmId)?.[seq - 1] : undefined;
}

/** As renew_epoch.sql. */
export function renewEpoch(run: Run, claim: ClaimRow): boolean {
  if (!positionIsLost(run, claim)) return false;
  beginEpoch(run, claim.realmId, [claim.epoch]);
  return true;
}

/** As begin_epoch.sql. */
function beginEpoch(run: Run, realmId: number, former: readonly string[]): void {
  const head = run.state.head(realmId);
  const formerEpochs = [head.epoch.slice(0, 8), ...former, ...head.formerEpochs].slice(0, 50);
  run.state.heads.set(realmId, { ...head, epoch: run.randomUuid(), formerEpochs, epochBeganMs: run.nowMs });
}

/** Appends entries under the lock of the head, which a statement that is carried out at once needs not take. */
class Appending {
  readonly run: Run;
  readonly realmId: number;
  readonly rules: number;
  private head: Head;
  private readonly term: string;
  private readonly first: number;
  private readonly before: Head;

  constructor(run: Run, realmId: number) {
    this.run = run;
    this.realmId = realmId;
    this.before = run.state.head(realmId);
    this.head = this.before;
    this.first = this.head.seq + 1;
    this.term = logTerm(run, this.head.epoch);
    this.rules = rulesVersionOf(run, this.head);
    this.head = { ...this.head, messageId: lastMessageId(this.head, this.term) };
  }

  nextMessageId(): number {
    this.head = { ...this.head, messageId: this.head.messageId + 1 };
    return this.head.messageId;
  }

  /** The answer to a message that was sent before: it names the head that the log had then. */
  repeated(messageId: number): AppendedRow {
    const { seq, term } = this.before;
    return { outcome: 'repeated', message_id: messageId, seq, entry: `{"seq":${seq},"term":"${term}"}` };
  }

  get nextSeq(): number {
    return this.head.seq + 1;
  }

  /** What the next entry says of terms. */
  get terms(): Pick<Entry, 'term' | 'previousTerm'> {
    return this.nextSeq === this.first && this.head.term !== this.term
      ? { term: this.term, previousTerm: this.head.term }
      : { term: this.term };
  }

  write(text: string, message: LoggedMessage | null): number {
    const { state, nowMs, asker: writer } = this.run;
    const seq = this.nextSeq;
    const entry = JSON.parse(text) as Entry;
    const log = state.logs.get(this.realmId) ?? [];
    state.logs.set(this.realmId, log);
    const members = state.membersOf(entry.audience.members);
    const { term } = this;
    log.push({ seq, term, text, bytes: text.length, appendedMs: nowMs, entry, members, message, writer });
    this.head = { ...this.head, seq };
    return seq;
  }

  end(keepsRules: boolean): void {
    const { state } = this.run;
    const before = state.head(this.realmId);
    const hasWritten = this.head.seq > before.seq;
    state.heads.set(this.realmId, {
      ...before,
      seq: this.head.seq,
      messageId: hasWritten ? this.head.messageId : before.messageId,
      term: hasWritten ? this.term : before.term,
      rulesVersion:
        (hasWritten ? nextRulesVersion(this.run, before) : before.rulesVersion) + (keepsRules ? 0 : 1),
    });
  }
}

/** A message as append_plain_messages receives it. */
export interface PlainRow {
  rulesVersion: number;
  conversationId: number;
  channelId: number | null;
  senderId: number;
  queueId: string | null;
  localId: string | null;
  /** JSON that is cut: see append-plain.ts. */
  audience: string;
  event: string;
}

const echoOf = (senderId: number, queueId: string | null, localId: string | null): string | null =>
  queueId === null ? null : `${senderId} ${queueId} ${localId}`;

const unwritten = { message_id: null, seq: null, entry: null };

/** As append_plain_messages.sql. */
export function appendPlain(run: Run, realmId: number, rows: readonly PlainRow[]): AppendedRow[] {
  const { state, nowMs } = run;
  const appending = new Appending(run, realmId);
  const answers = rows.map((row): AppendedRow => {
    if (row.rulesVersion !== appending.rules) return { outcome: 'stale', ...unwritten };
    const echo = echoOf(row.senderId, row.queueId, row.localId);
    const repeats = echo === null ? undefined : state.echoes.get(echo);
    if (repeats !== undefined) return appending.repeated(repeats);
    const id = appending.nextMessageId();
    const conversation = state.conversations.get(row.conversationId);
    if (!conversation) throw new Error(`Conversation ${row.conversationId} has no head.`);
    state.conversations.set(row.conversationId, { ...conversation, ordinal: conversation.ordinal + 1 });
    if (echo !== null) state.echoes.set(echo, id);
    const { term, previousTerm } = appending.terms;
    const previous = previousTerm === undefined ? '' : `,"previousTerm":"${previousTerm}"`;
    const members = row.channelId === null ? '' : `${conversation.audienceId}]}`;
    const entry =
      `{"seq":${appending.nextSeq},"term":"${term}"${previous},"audience":${row.audience}${members}` +
      `,"event":${row.event},"id":${id},"timestamp":${Math.floor(nowMs / 1000)}}}}`;
    const seq = appending.write(entry, { id, senderId: row.senderId, echo });
    return { outcome: 'written', message_id: id, seq, entry };
  });
  appending.end(true);
  return answers;
}

/** A change of members, as append_events receives it. */
export interface MembershipRow {
  conversation: number;
  audience: number;
}

/** What this knows of pending events; append_events.sql knows more. */
const known = new Set(['event', 'users', 'conversations', 'except', 'open', 'rulesVersion', 'message']);

/** As append_events.sql, of the events that the simulation appends. */
export function appendEvents(
  run: Run,
  realmId: number,
  events: readonly PendingEvent[],
  changes: readonly MembershipRow[],
  keepsRules: boolean,
): AppendedRow[] {
  const { state, nowMs } = run;
  const appending = new Appending(run, realmId);
  for (const { conversation, audience } of changes) {
    const head = state.conversations.get(conversation);
    if (!head) throw new Error(`Conversation ${conversation} has no head.`);
    state.conversations.set(conversation, { ...head, audienceId: audience });
  }
  const answers = events.map((pending): AppendedRow => {
    const unknown = Object.keys(pending).find((name) => !known.has(name));
    if (unknown !== undefined) throw new Error(`The simulation cannot append an event with ${unknown}.`);
    const { rulesVersion, message, users, except, open, conversations } = pending;
    if (rulesVersion !== undefined && rulesVersion !== appending.rules)
      return { outcome: 'stale', ...unwritten };
    let { event } = pending;
    let logged: LoggedMessage | null = null;
    if (message) {
      const echo = echoOf(message.senderId, message.echo?.queueId ?? null, message.echo?.localId ?? null);
      const repeats = echo === null ? undefined : state.echoes.get(echo);
      if (repeats !== undefined) return appending.repeated(repeats);
      const id = appending.nextMessageId();
      if (echo !== null) state.echoes.set(echo, id);
      logged = { id, senderId: message.senderId, echo };
      const said = event['message'] as object;
      event = { ...event, message: { ...said, id, timestamp: Math.floor(nowMs / 1000) } };
    }
    const members = conversations?.flatMap((id) => state.conversations.get(id)?.audienceId ?? []);
    const { term, previousTerm } = appending.terms;
    const audience = { users, except, open, members };
    // The row that the simulated action changes, in the same transaction.
    if (event['property'] === 'simulated_ban') state.banned.set(realmId, event['value'] as number | null);
    const entry = JSON.stringify({ seq: appending.nextSeq, term, audience, previousTerm, event });
    const seq = appending.write(entry, logged);
    return { outcome: 'written', message_id: logged?.id ?? null, seq, entry };
  });
  appending.end(keepsRules);
  return answers;
}
