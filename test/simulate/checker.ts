import type { SimulatedPostgres } from './postgres/server.ts';
import { type LogRow, isAddressed } from './postgres/state.ts';

/** An event as a client hears it, as far as it is checked. */
export interface HeardEvent {
  id: number;
  type: string;
  message?: { id: number };
  property?: string;
  value?: unknown;
}

/** The queue that a client follows, as the client knows it. */
export class QueueView {
  readonly id: string;
  readonly realmId: number;
  readonly userId: number;
  /** Where the log was when it was registered, and when that was. */
  readonly registeredAt: number;
  readonly registeredMs: number;
  /** The messages that its client knew then. */
  readonly known: readonly number[];
  /** What was heard, each event by what tells it from others. */
  readonly heard: string[] = [];
  readonly heardIds: number[] = [];
  lastId: number;
  /** Whether it has heard of two histories, so that its client has to register anew. */
  isMixed = false;

  constructor(
    fields: Pick<
      QueueView,
      'id' | 'realmId' | 'userId' | 'registeredAt' | 'registeredMs' | 'known' | 'lastId'
    >,
  ) {
    this.id = fields.id;
    this.realmId = fields.realmId;
    this.userId = fields.userId;
    this.registeredAt = fields.registeredAt;
    this.registeredMs = fields.registeredMs;
    this.known = fields.known;
    this.lastId = fields.lastId;
  }
}

/** A send that was acknowledged. */
export interface Acknowledged {
  realmId: number;
  messageId: number;
  echo: string;
}

/** The ids of an entry, and which of them are its events': those of a queue begin behind its registration with 0. */
const idsPerEntry = 8;
const firstIdOf = ({ registeredAt }: QueueView, seq: number) => (seq - registeredAt) * idsPerEntry - 3;

/** Whether an event is in no log. */
const isPassing = ({ type }: HeardEvent) => type === 'heartbeat' || type === 'typing';

const keyOfEvent = ({ type, message, property, value }: HeardEvent): string =>
  type === 'message' ? `message ${message?.id}` : `${type} ${property} ${String(value)}`;

const keyOfRow = ({ entry: { event }, message }: LogRow): string | null =>
  event.type === 'room'
    ? null
    : message
      ? `message ${message.id}`
      : `${event.type} ${String(event['property'])} ${String(event['value'])}`;

/** Compares what clients hear with the histories that servers have, at each step and in the end. */
export class Checker {
  private readonly postgres: SimulatedPostgres;
  readonly acknowledged: Acknowledged[] = [];
  /** What does not hold, in words. */
  readonly violations: string[] = [];
  heard = 0;
  told = 0;
  /** Whether something happened by which queues may be lost. */
  mayTell = false;
  /**
   * Until when a client may hear of two histories before it is told: both servers take writes, or a node that serves the
   * client in between has not met the new one yet.
   */
  mixesUntilMs = 0;

  constructor(postgres: SimulatedPostgres) {
    this.postgres = postgres;
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  private histories(realmId: number): readonly (readonly LogRow[])[] {
    return this.postgres.servers.map(({ state }) => state.logs.get(realmId) ?? []);
  }

  /** A client received the answer to a poll. */
  hear(view: QueueView, events: readonly HeardEvent[]): void {
    for (const event of events) {
      if (event.id <= view.lastId)
        this.violate(`${nameOf(view)} heard the id ${event.id} after ${view.lastId}`);
      view.lastId = Math.max(view.lastId, event.id);
      if (isPassing(event)) continue;
      this.heard += 1;
      view.heard.push(keyOfEvent(event));
      view.heardIds.push(event.id);
    }
    if (events.length === 0) return;
    const histories = this.histories(view.realmId);
    const problems = histories.map((history) => problemOf(view, history));
    if (problems.includes(null)) return;
    const isForIt = (event: HeardEvent) =>
      isPassing(event) ||
      histories.some((history) =>
        history.some((row) => keyOfRow(row) === keyOfEvent(event) && isAddressed(row, view.userId)),
      );
    if (this.postgres.network.world.nowMs < this.mixesUntilMs && events.every(isForIt)) view.isMixed = true;
    else this.violate(`${nameOf(view)} ${problems.at(-1)}`);
  }

  /** A client was told to register anew. */
  tell(view: QueueView): void {
    this.told += 1;
    if (!this.mayTell) this.violate(`${nameOf(view)} was told to register anew, though nothing was lost`);
  }

  /** Returns what is not yet as it has to be in the end; null if all is. */
  findUnsettled(views: readonly (QueueView | null)[]): string | null {
    for (const view of views) {
      if (!view) return 'a client has no queue';
      if (view.isMixed) return `${nameOf(view)} was not told that it has heard of two histories`;
      const log = this.postgres.primary.state.logs.get(view.realmId) ?? [];
      const problem = problemOf({ ...view, lastId: Number.POSITIVE_INFINITY }, log) ?? unknownOf(view, log);
      if (problem !== null) return `${nameOf(view)} ${problem}`;
    }
    return this.findForgotten(views) ?? this.findBrokenLog();
  }

  /** What was acknowledged and is lost: whoever was to hear it has to be told. */
  private findForgotten(views: readonly (QueueView | null)[]): string | null {
    for (const { realmId, messageId, echo } of this.acknowledged) {
      const kept = (this.postgres.primary.state.logs.get(realmId) ?? []).filter(
        ({ message }) => message?.echo === echo,
      );
      if (kept.some(({ message }) => message?.id === messageId)) continue;
      const lost = this.histories(realmId)
        .flat()
        .find(({ message }) => message?.id === messageId && message.echo === echo);
      if (!lost) return `the message ${messageId} was acknowledged, and is in no history`;
      // Nobody else may know of it who is still there: replicas that are behind lose what dies with its writer.
      if (!lost.writer.isAlive) continue;
      const silent = views.find(
        (view) =>
          view?.realmId === realmId && isAddressed(lost, view.userId) && view.registeredMs < lost.appendedMs,
      );
      if (silent) return `${nameOf(silent)} was not told that the message ${messageId} is lost`;
    }
    return null;
  }

  private findBrokenLog(): string | null {
    for (const [realmId, log] of this.postgres.primary.state.logs) {
      let [lastId, banned]: [number, unknown] = [0, null];
      const echoes = new Set<string>();
      for (const { seq, message, entry } of log) {
        if (entry.event['property'] === 'simulated_ban') banned = entry.event['value'];
        if (!message) continue;
        if (message.id <= lastId)
          return `entry ${seq} of realm ${realmId} has the message ${message.id} after ${lastId}`;
        lastId = message.id;
        if (message.senderId === banned)
          return `entry ${seq} of realm ${realmId} is of ${banned}, who may not write`;
        if (message.echo !== null && echoes.has(message.echo))
          return `entry ${seq} of realm ${realmId} was sent before`;
        if (message.echo !== null) echoes.add(message.echo);
      }
    }
    return null;
  }
}

const nameOf = ({ userId, id }: QueueView) => `user ${userId} on ${id.slice(0, 8)}`;

/** Returns how what was heard differs from a history up to the cursor; null if it does not. */
function problemOf(
  view: Pick<QueueView, 'heard' | 'heardIds' | 'userId' | 'registeredAt' | 'lastId'>,
  history: readonly LogRow[],
): string | null {
  let at = 0;
  for (let seq = view.registeredAt + 1; seq <= history.length; seq += 1) {
    const row = history[seq - 1];
    const key = row && isAddressed(row, view.userId) ? keyOfRow(row) : null;
    const firstId = firstIdOf(view as QueueView, seq);
    if (firstId > view.lastId) break;
    if (key === null) continue;
    const heard = view.heard[at];
    if (heard !== key) return `did not hear ${key} (entry ${seq}) but ${heard ?? 'nothing more'}`;
    if (view.heardIds[at] !== firstId) return `heard ${key} with the id ${view.heardIds[at]}, not ${firstId}`;
    at += 1;
  }
  const more = view.heard[at];
  return more === undefined ? null : `heard ${more}, which is not in the log, or not for it`;
}

/** Returns which messages of a history the client does not know that it should, or knows though it should not. */
function unknownOf({ userId, registeredAt, known }: QueueView, history: readonly LogRow[]): string | null {
  const expected = history
    .slice(0, registeredAt)
    .flatMap((row) => (row.message && isAddressed(row, userId) ? row.message.id : []));
  return expected.join() === known.join()
    ? null
    : `began with the messages ${known.join()}, not ${expected.join()}`;
}
