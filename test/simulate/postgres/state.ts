import { decodeMembers } from '@parley/db';
import type { Entry } from '@parley/protocol';

import type { Place } from '../world.ts';

/** A row of realm_heads. It is never changed: another takes its place. */
export interface Head {
  readonly realmId: number;
  readonly seq: number;
  readonly term: string;
  readonly epoch: string;
  readonly formerEpochs: readonly string[];
  readonly rulesVersion: number;
  readonly messageId: number;
  /** When the epoch began; null for the first. */
  readonly epochBeganMs: number | null;
}

/** A row of event_log. It is never changed, and every server that has it has the same object: so histories are told apart. */
export interface LogRow {
  readonly seq: number;
  readonly term: string;
  /** JSON. */
  readonly text: string;
  readonly bytes: number;
  readonly appendedMs: number;
  /** For whoever checks: what the entry is, and to whom it is addressed. */
  readonly entry: Entry;
  readonly members: ReadonlySet<number>;
  readonly message: LoggedMessage | null;
  /** The process that appended it. */
  readonly writer: Place;
}

/** The message of an entry. */
export interface LoggedMessage {
  readonly id: number;
  readonly senderId: number;
  /** What its retries have in common with it. */
  readonly echo: string | null;
}

/** A row of users, as far as credentials depend on it. */
export interface UserRow {
  readonly id: number;
  readonly realmId: number;
  readonly email: string;
}

/** A row of conversation_heads. */
export interface Conversation {
  readonly ordinal: number;
  readonly audienceId: number | null;
}

/** What a server has stored. Rows are never changed, so that a copy is cheap: a replica is one of a moment. */
export class DatabaseState {
  readonly heads = new Map<number, Head>();
  /** All rows that a realm's log has had, in order and without holes. */
  readonly logs = new Map<number, LogRow[]>();
  /** How many of them have been trimmed. */
  readonly trimmed = new Map<number, number>();
  readonly conversations = new Map<number, Conversation>();
  readonly audiences = new Map<number, Uint8Array>();
  /** Ids of messages by sender and local echo. */
  readonly echoes = new Map<string, number>();
  readonly users = new Map<number, UserRow>();
  /** The account of each realm that may not write there: the one rule of the simulation. */
  readonly banned = new Map<number, number | null>();
  lastAudienceId = 0;

  copy(): DatabaseState {
    const copy = new DatabaseState();
    for (const [id, head] of this.heads) copy.heads.set(id, head);
    for (const [id, log] of this.logs) copy.logs.set(id, [...log]);
    for (const [id, count] of this.trimmed) copy.trimmed.set(id, count);
    for (const [id, conversation] of this.conversations) copy.conversations.set(id, conversation);
    for (const [id, members] of this.audiences) copy.audiences.set(id, members);
    for (const [key, id] of this.echoes) copy.echoes.set(key, id);
    for (const [id, user] of this.users) copy.users.set(id, user);
    for (const [id, userId] of this.banned) copy.banned.set(id, userId);
    copy.lastAudienceId = this.lastAudienceId;
    return copy;
  }

  head(realmId: number): Head {
    const head = this.heads.get(realmId);
    if (!head) throw new Error(`Realm ${realmId} has no head.`);
    return head;
  }

  /** The entries that are kept, in order. */
  kept(realmId: number): readonly LogRow[] {
    const log = this.logs.get(realmId) ?? [];
    const trimmed = this.trimmed.get(realmId) ?? 0;
    return trimmed === 0 ? log : log.slice(trimmed);
  }

  membersOf(audienceIds: readonly number[] | undefined): ReadonlySet<number> {
    const members = new Set<number>();
    for (const id of audienceIds ?? []) {
      for (const userId of decodeMembers(this.audiences.get(id) ?? new Uint8Array())) members.add(userId);
    }
    return members;
  }
}

/** Returns whether an entry is for an account. This is written down here again: a mistake of the nodes must not excuse itself. */
export function isAddressed({ entry: { audience }, members }: LogRow, userId: number): boolean {
  const { users, except } = audience;
  if (except?.includes(userId)) return false;
  if (!users && !audience.members) return true;
  return users?.includes(userId) === true || members.has(userId);
}
