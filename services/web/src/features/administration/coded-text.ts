/** A text of the catalogue: with values in it, if it has names for them. */
export type CodedText =
  | string
  | (((...values: (string | number)[]) => string) & { readonly names: readonly string[] });

/** The code of a sentence and its values. What an earlier version of the server has written down has neither. */
export interface Coded {
  code?: string;
  values?: Readonly<Record<string, string | number>>;
}

/** Returns what the server says as a code with its values in the language of the page; undefined if it knows no such code. */
export function sayCoded(
  texts: Readonly<Record<string, CodedText>>,
  { code, values = {} }: Coded,
): string | undefined {
  const known = code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
  return typeof known === 'function' ? known(...known.names.map((name) => values[name] ?? '')) : known;
}
