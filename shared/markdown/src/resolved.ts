/** What a text refers to and has to be looked up: each once, and at most `referencesMax` of a kind. */
export interface References {
  /**
   * Users by id if the text has one; then the name, unless it is empty, must be theirs. Names are compared without
   * case.
   */
  users: { name: string; id: number | null }[];
  groups: string[];
  channels: string[];
  topics: { channel: string; topic: string }[];
  /** Path ids of uploads that the text links to. */
  uploads: string[];
}

export const referencesMax = 1000;

interface ResolvedUser {
  id: number;
  name: string;
  isActive: boolean;
}

interface ResolvedGroup {
  id: number;
  /** The name as it is written in a text. */
  name: string;
  displayName: string;
  isActive: boolean;
  /** Whether the author may mention the group other than silently. */
  mayMention: boolean;
}

interface ResolvedTopic {
  channelId: number;
  topic: string;
  /** The latest message of the topic that the author can read. */
  messageId: number;
}

/** Properties of an upload that is a picture. */
export interface UploadFacts {
  contentType: string;
  state: 'pending' | 'ready' | 'failed';
  width: number;
  height: number;
  isAnimated: boolean;
  /** The name of the thumbnail, such as `840x560.webp`. */
  thumbnail: string;
  /** The name of the picture in a format that browsers can show; null if its own is one. */
  transcoded: string | null;
}

/** The preview of a page that the text links to. */
export type PageFacts =
  | { kind: 'page'; title: string; description: string; image: string | null }
  | { kind: 'video'; title: string; html: string; image: string | null };

/** The results of the look-ups. Whatever is missing does not exist, or the author has no access to it. */
export interface Resolved {
  users: readonly ResolvedUser[];
  groups: readonly ResolvedGroup[];
  channels: readonly { id: number; name: string }[];
  topics: readonly ResolvedTopic[];
  /** By path id. An upload that is no picture has no facts. */
  uploads: ReadonlyMap<string, UploadFacts | null>;
  pages: ReadonlyMap<string, PageFacts>;
}

export const nothingResolved: Resolved = {
  users: [],
  groups: [],
  channels: [],
  topics: [],
  uploads: new Map(),
  pages: new Map(),
};
