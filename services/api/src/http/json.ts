import { limits } from '@parley/protocol';

type Parsed = { success: true; value: unknown } | { success: false; problem: string };

interface ParseOptions {
  lengthMax?: number;
  /** What becomes of each value in it. */
  change?: (value: unknown) => unknown;
}

/**
 * Parses a text as JSON, unless it is too long or nested too deeply. `problem` says what is wrong, as the predicate of
 * a sentence. Texts in it hold nothing that Postgres cannot store, unless `change` leaves it there.
 */
export function parseJson(
  raw: string,
  { lengthMax = limits.jsonLength, change = storable }: ParseOptions = {},
): Parsed {
  if (raw.length > lengthMax) {
    return { success: false, problem: `can have at most ${lengthMax} characters.` };
  }
  if (raw.length > limits.jsonDepth && depthOf(raw) > limits.jsonDepth) {
    return { success: false, problem: 'is nested too deeply.' };
  }
  try {
    // Postgres stores neither NUL nor half a surrogate pair, and JSON can contain them only as escapes.
    const value: unknown = raw.includes('\\u')
      ? JSON.parse(raw, (_, value: unknown) => change(value))
      : JSON.parse(raw);
    return { success: true, value };
  } catch {
    return { success: false, problem: 'must be JSON.' };
  }
}

/** How deep the lists and objects of a JSON text are nested. Stops at a depth that is too much. */
function depthOf(raw: string): number {
  let [depth, deepest, isInString] = [0, 0, false];
  for (let at = 0; at < raw.length && deepest <= limits.jsonDepth; at += 1) {
    const character = raw[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, (depth += 1));
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}

function storable(value: unknown): unknown {
  const readable = withoutSurrogates(value);
  return typeof readable === 'string' ? readable.replaceAll('\0', '\uFFFD') : readable;
}

/** Returns a text without halves of surrogate pairs; any other value as it is. */
export const withoutSurrogates = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/\p{Cs}/gu, '\uFFFD') : value;
