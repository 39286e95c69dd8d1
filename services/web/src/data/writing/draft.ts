import type { DraftContent, State } from '@parley/client';

import type { Target } from './target.ts';

type ServerDraft = State['drafts'] extends Map<number, infer One> ? One : never;

/** What somebody has written and not sent. It is kept in this browser, and at the server where they want that. */
export interface Draft {
  /** Of this browser. */
  readonly id: string;
  readonly target: Target;
  readonly content: string;
  /** Seconds since the epoch: when it was written. */
  readonly timestamp: number;
  readonly serverId: number | null;
  /** `fingerprint` of what the server was last known to have; null, if it has none. */
  readonly base: string | null;
  /** The newest request to create it at the server of which no reply has come: a page may be gone before that. */
  readonly asked: Asked | null;
}

interface Asked {
  /** `fingerprint` of what was to be created. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** What this browser knows of a draft that the server does not have. */
export const unsaved = { serverId: null, base: null, asked: null } as const;

/** So long, a draft that the server was asked to create may still appear there. */
const createdMs = 10_000;

/** Returns how long it is too early to ask the server for a draft again. */
export const waitOf = ({ asked }: Pick<Draft, 'asked'>, nowMs: number): number =>
  asked && nowMs >= asked.atMs ? Math.max(0, asked.atMs + createdMs - nowMs) : 0;

/** Equal for drafts of which the server says that they are the same: it keeps no blanks around texts. */
export const fingerprint = ({ target, content }: Pick<Draft, 'target' | 'content'>): string =>
  JSON.stringify([
    target.kind === 'channel'
      ? [target.channelId, target.channelId === null ? '' : target.topic]
      : [...target.userIds].sort((a, b) => a - b),
    content.trim(),
  ]);

/** Returns whether the server has not got what was written. */
export const isChanged = (draft: Draft): boolean => fingerprint(draft) !== draft.base;

export const isBlank = ({ content }: Pick<Draft, 'content'>): boolean => content.trim() === '';

/** A draft as the server accepts it. */
export function toServer({ target, content, timestamp }: Draft): DraftContent {
  if (target.kind === 'direct') {
    return { type: 'private', to: [...target.userIds], topic: '', content, timestamp };
  }
  const { channelId, topic } = target;
  return channelId === null
    ? { type: '', to: [], topic: '', content, timestamp }
    : { type: 'stream', to: [channelId], topic, content, timestamp };
}

/** A draft of the server as this browser keeps it. */
export function fromServer({ id, type, to, topic, content, timestamp }: ServerDraft): Draft {
  const target: Target =
    type === 'private'
      ? { kind: 'direct', userIds: to }
      : { kind: 'channel', channelId: to[0] ?? null, topic };
  const written = { target, content };
  return { id: `s${id}`, ...written, timestamp, serverId: id, base: fingerprint(written), asked: null };
}

export type { ServerDraft };
