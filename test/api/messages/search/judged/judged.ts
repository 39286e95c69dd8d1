/** Messages of one language, and which of them somebody expects who searches for something, by their numbers. */
export interface Judged {
  language: string;
  messages: readonly string[];
  /** What is searched for, and the numbers of the messages that answer it, from 0. */
  queries: readonly (readonly [query: string, expected: readonly number[]])[];
}
