/** A piece of text that an organization turns into a link. */
export interface LinkifierMatch {
  start: number;
  end: number;
  text: string;
  url: string;
}

/** The linkifiers of an organization, compiled, in its order. */
export interface Linkifiers {
  /** What they find in a text, in order of place, without overlaps. */
  match(text: string): LinkifierMatch[];
}

/** None at all. */
export const noLinkifiers: Linkifiers = { match: () => [] };
