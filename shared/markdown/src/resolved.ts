/** What a text names and has to be looked up: each once, and no more than `referencesMax` of a kind. */
export interface References {
  /** By id where there is one; then the name, unless it is empty, must be theirs. Names are compared without case. */
  users: { name: string; id: number | null }[];
  groups: string[];
  channels: string[];
  topics: { channel: string; topic: string }[];
  /** Path ids of uploads that are linked to. */
  uploads: string[];
}

export const referencesMax = 1000;

export interface ResolvedUser {
  id: number;
  name: string;
  isActive: boolean;
}

export interface ResolvedGroup {
  id: number;
  /** As it is written in a text. */
  name: string;
  displayName: string;
  isActive: boolean;
  /** Whether the author may mention it aloud. */
  mayMention: boolean;
}

export interface ResolvedTopic {
  channelId: number;
  topic: string;
  /** The latest one that the author can read. */
  messageId: number;
}

/** The picture that an upload is. */
export interface UploadFacts {
  contentType: string;
  state: 'pending' | 'ready' | 'failed';
  width: number;
  height: number;
  isAnimated: boolean;
  /** The name of the thumbnail, such as `840x560.webp`. */
  thumbnail: string;
  /** The name of the picture in a format that browsers know, where its own is none. */
  transcoded: string | null;
}

/** What is known of a page that is linked to. */
export type PageFacts =
  | { kind: 'page'; title: string; description: string; image: string | null }
  | { kind: 'video'; title: string; html: string; image: string | null };

/** What was found. What is missing here is not there, or not for the author's eyes. */
export interface Resolved {
  users: readonly ResolvedUser[];
  groups: readonly ResolvedGroup[];
  channels: readonly { id: number; name: string }[];
  topics: readonly ResolvedTopic[];
  uploads: ReadonlyMap<string, UploadFacts>;
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
