/** What can be chosen, and what is then in the text. */
export interface Suggestion {
  key: string;
  label: string;
  detail?: string;
  /** The text that replaces what was typed. */
  text: string;
  picture?: string | null;
}
