/** The names in brackets of a sentence. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What stands in sentences, by names: what was counted, and texts of an archive. */
export type SentenceValues = Readonly<Record<string, string | number>>;

/** Returns a sentence with its values in it. */
export const fillIn = (sentence: string, values: SentenceValues): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
