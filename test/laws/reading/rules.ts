/**
 * Who may read a message and hears of it, written down once more: from the shape of a channel, the role of a person and
 * when they were in the channel. It reads nothing of the server.
 */

/** What a channel is like. */
interface Shape {
  isPrivate: boolean;
  isWebPublic: boolean;
  sharesHistory: boolean;
  /** Its permission to subscribe names those whom a history calls permitted. */
  permits: boolean;
}

const shape = (more: Partial<Shape> = {}): Shape => ({
  isPrivate: false,
  isWebPublic: false,
  sharesHistory: true,
  permits: false,
  ...more,
});

export const shapes = {
  public: shape(),
  'web-public': shape({ isWebPublic: true }),
  private: shape({ isPrivate: true }),
  'private and permitting': shape({ isPrivate: true, permits: true }),
  protected: shape({ isPrivate: true, sharesHistory: false }),
  'protected and permitting': shape({ isPrivate: true, sharesHistory: false, permits: true }),
} as const;
export type ShapeName = keyof typeof shapes;
// Safe: these are the keys of an object that is declared here and never changes.
export const shapeNames = Object.keys(shapes) as ShapeName[];

/** In each phase a message is sent. The last one is now. */
export const phases = [0, 1, 2, 3] as const;
export type Phase = (typeof phases)[number];
export const lastPhase = 3;

interface History {
  /** The phases in which the person is subscribed. */
  subscribed: readonly Phase[];
  isMentioned?: true;
  isPermitted?: true;
}

/** What somebody may have to do with a channel. Few were there for its first message. */
export const histories = {
  settled: { subscribed: [1, 2, 3] },
  left: { subscribed: [0, 1] },
  returned: { subscribed: [0, 1, 3] },
  late: { subscribed: [2, 3] },
  stranger: { subscribed: [] },
  'mentioned stranger': { subscribed: [], isMentioned: true },
  'mentioned after leaving': { subscribed: [0, 1], isMentioned: true },
  'permitted stranger': { subscribed: [], isPermitted: true },
  'permitted after leaving': { subscribed: [0, 1], isPermitted: true },
} as const satisfies Record<string, History>;
export type HistoryName = keyof typeof histories;
// Safe: these are the keys of an object that is declared here and never changes.
const historyNames = Object.keys(histories) as HistoryName[];

export const roleNames = ['member', 'guest', 'administrator'] as const;
export type RoleName = (typeof roleNames)[number];

/** By day administrators are only where they have nothing to read. */
export const historiesOf = (role: RoleName, isNight: boolean): readonly HistoryName[] =>
  role === 'administrator' && !isNight ? ['stranger', 'left'] : historyNames;

/** Somebody, as far as the rules are concerned. */
export interface Somebody {
  role: RoleName;
  history: HistoryName;
}

/** A message of the owner to a channel, or to some people. */
export interface Sent {
  phase: Phase;
  /** The channel that it was sent to; null for a direct message. */
  shape: ShapeName | null;
  /** The channel that it was moved to. */
  movedTo?: ShapeName;
  /** Histories of those to whom it was sent, if it is direct. */
  people: readonly HistoryName[];
  mentions: boolean;
}

const historyOf = ({ history }: Somebody): History => histories[history];
const wasSubscribed = (who: Somebody, phase: number) =>
  (historyOf(who).subscribed as readonly number[]).includes(phase);
const isGuest = ({ role }: Somebody) => role === 'guest';

/** Being in a channel, or named by its permission, or one of everybody whom it is open to. */
function mayReadHistory(who: Somebody, { isPrivate, isWebPublic, permits }: Shape): boolean {
  if (wasSubscribed(who, lastPhase) || isWebPublic) return true;
  if (isGuest(who)) return false;
  return !isPrivate || (permits && historyOf(who).isPermitted === true);
}

/**
 * Whoever was there when it was sent; in a channel that is open to members, also those of them whom it mentions. What is
 * moved to protected history is given to those who are there.
 */
export function receives(who: Somebody, { phase, shape: name, people, mentions, movedTo }: Sent): boolean {
  if (name === null) return people.includes(who.history);
  const isCalled = mentions && historyOf(who).isMentioned === true;
  const isGiven = movedTo !== undefined && !shapes[movedTo].sharesHistory && wasSubscribed(who, lastPhase);
  return wasSubscribed(who, phase) || (isCalled && !shapes[name].isPrivate && !isGuest(who)) || isGiven;
}

export function reads(who: Somebody, sent: Sent): boolean {
  if (sent.shape === null) return receives(who, sent);
  const channel = shapes[sent.movedTo ?? sent.shape];
  return channel.sharesHistory
    ? mayReadHistory(who, channel)
    : receives(who, sent) && wasSubscribed(who, lastPhase);
}

/** Nobody has read anything. But whoever leaves a channel has read what they received there. */
export function isUnread(who: Somebody, sent: Sent): boolean {
  const hasLeftSince = phases.some(
    (phase) =>
      phase >= sent.phase && phase < lastPhase && wasSubscribed(who, phase) && !wasSubscribed(who, phase + 1),
  );
  return receives(who, sent) && reads(who, sent) && (sent.shape === null || !hasLeftSince);
}

/** Who hears that a message changes: of those who may read it, everyone who has it, or is there. */
export function hears(who: Somebody, sent: Sent, isStarred: boolean): boolean {
  const isThere = sent.shape !== null && wasSubscribed(who, lastPhase);
  return reads(who, sent) && (receives(who, sent) || isThere || isStarred);
}

/**
 * Who is notified of an unread message they want to be told of: of one that mentions them also in a public channel in which they
 * are not; of any other where they are subscribed.
 */
export function isNotified(who: Somebody, sent: Sent): boolean {
  if (!isUnread(who, sent)) return false;
  if (sent.shape === null || wasSubscribed(who, lastPhase)) return true;
  const { isPrivate } = shapes[sent.shape];
  return sent.mentions && historyOf(who).isMentioned === true && !isPrivate && !isGuest(who);
}
