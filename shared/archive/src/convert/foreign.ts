/** What is found in the archive of another product, before it has numbers here. Keys are those of the archive. */
export interface ForeignPerson {
  key: string;
  name: string;
  email?: string | undefined;
  role?: 'owner' | 'administrator' | 'member' | 'guest' | undefined;
  isActive?: boolean;
  isBot?: boolean;
  timezone?: string | undefined;
  /** In millionths of a second, as all times are. */
  joinedAt?: number | undefined;
}

export interface ForeignChannel {
  key: string;
  name: string;
  description: string;
  isPrivate: boolean;
  isArchived: boolean;
  isDefault?: boolean;
  createdAt?: number | undefined;
  creator?: string | undefined;
  members: readonly string[];
}

/** An emoji of a reaction: one of Unicode by its code, or one of the organization by its name. */
export type ForeignEmoji = { code: string } | { custom: string };

export interface ForeignReaction {
  emoji: ForeignEmoji;
  users: readonly string[];
}

export interface ForeignFile {
  key: string;
  name: string;
  type: string;
  bytes: number;
  /** Where its content is, for whoever opens it. */
  place: string;
}

export interface ForeignMessage {
  /** The key of the message, unique in its place. */
  key: string;
  at: number;
  /** The key of a channel or of a direct conversation. */
  place: string;
  /** The thread in a channel that it belongs to. The first message of a thread names it. */
  thread?: { key: string; title: string } | undefined;
  sender: string;
  /** Markdown, with what `refer` returns for people and channels. */
  text: string;
  mentionsAll?: boolean;
  editedAt?: number | undefined;
  reactions?: readonly ForeignReaction[];
  starredBy?: readonly string[];
  files?: readonly ForeignFile[];
}

type Referred = 'person' | 'channel';

/** Marks in texts of what gets its name when all names are known. No text of an archive has these characters. */
const marks = { person: '\u0001', channel: '\u0002', end: '\u0003' } as const;
const marked = new RegExp(
  `([${marks.person}${marks.channel}])([^${marks.person}-${marks.end}]*)${marks.end}`,
  'g',
);
const loose = new RegExp(`[${marks.person}-${marks.end}]`, 'g');

/** Returns what stands in a text for a person or a channel. */
export const refer = (what: Referred, key: string): string => `${marks[what]}${key}${marks.end}`;

/** Replaces what stands in a text for people and channels by what they are called. */
export function resolveReferences(text: string, nameOf: (what: Referred, key: string) => string): string {
  if (!text.includes(marks.end)) return text;
  return text
    .replaceAll(marked, (_, mark: string, key: string) =>
      nameOf(mark === marks.person ? 'person' : 'channel', key),
    )
    .replaceAll(loose, '');
}
