import { CompressedFields, JsonText } from '../http/json-text.ts';

/** Returns the state with the fields of these names in one text, which is compressed, except those that are texts already. */
export function compressFields(state: Record<string, unknown>, names: readonly string[]): object {
  const compressed: Record<string, unknown> = {};
  const others = { ...state };
  for (const name of names) {
    const value = others[name];
    if (value === undefined || value instanceof JsonText) continue;
    compressed[name] = value;
    delete others[name];
  }
  const hasAny = Object.keys(compressed).length > 0;
  return hasAny ? { ...others, compressed: new CompressedFields(compressed) } : others;
}
