import type { Linkifiers } from './linkifiers.ts';

/** What stands for an emoji's name: a Unicode emoji by its code points, or a picture. */
export type Emoji = { code: string } | { src: string };

/** What parsing a text depends on: the organization, and its author. */
export interface Options {
  linkifiers: Linkifiers;
  /** Without a slash at its end. Links to it are written without it. */
  realmUrl: string;
  /** The display name of the topic without a name. */
  emptyTopicName: string;
  translateEmoticons: boolean;
  /** What a fence without a language is read as. */
  defaultCodeLanguage: string | null;
  previews: { images: boolean; pages: boolean };
  emoji: (name: string) => Emoji | undefined;
  /** The name of a Unicode emoji, by code points in hex joined by dashes, without variation selectors. */
  emojiNameOf: (code: string) => string | undefined;
  /** Where readers get a picture, film or sound of a stranger's server from. */
  proxy: (url: string) => string;
}
