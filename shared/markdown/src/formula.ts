import katex from 'katex';

/** Longer formulas are shown as they were written: typesetting takes time with their length. */
const lengthMax = 4000;
/** How often macros of a formula may be replaced, and how large its parts may be, in em. */
const limits = { maxExpand: 1000, maxSize: 20 };

/** A formula as HTML, or null where it is none. */
export function formula(source: string, { isDisplay }: { isDisplay: boolean }): string | null {
  if (source.length > lengthMax) return null;
  try {
    return katex.renderToString(source, {
      displayMode: isDisplay,
      trust: false,
      strict: 'ignore',
      ...limits,
    });
  } catch (error) {
    // Braces nested by the thousand exhaust the stack of the parser.
    if (error instanceof katex.ParseError || error instanceof RangeError) return null;
    throw error;
  }
}
