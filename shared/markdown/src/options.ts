import type { Linkifiers } from './linkifiers.ts';

/** What is shown for an emoji's name: a Unicode emoji by its code points, or a picture. */
export type Emoji = { code: string } | { src: string };

/** The options of parsing a text, which depend on the organization and the author. */
export interface Options {
  linkifiers: Linkifiers;
  /** The organization's URL without a slash at its end. Links below it are written relative to it. */
  realmUrl: string;
  /** When the text was written. A time of day without a date is of this day. */
  writtenAt: Date;
  /** The name that is shown for the empty topic. */
  emptyTopicName: string;
  translateEmoticons: boolean;
  /** The language of a code block that names none. */
  defaultCodeLanguage: string | null;
  previews: { images: boolean; pages: boolean };
  emoji: (name: string) => Emoji | undefined;
  /** The name of a Unicode emoji by its code points in hex, joined by dashes, without variation selectors. */
  emojiNameOf: (code: string) => string | undefined;
}
