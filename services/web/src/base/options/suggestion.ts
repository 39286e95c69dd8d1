import type { Picture } from '../pictures/picture.tsx';

/** What can be chosen, and what is then in the text. */
export interface Suggestion {
  key: string;
  label: string;
  detail?: string;
  /** The text that replaces what was typed. */
  text: string;
  picture?: string | null;
  /** Whose picture stands before it. */
  person?: Pick<Parameters<typeof Picture>[0], 'src' | 'name' | 'hue'>;
}
