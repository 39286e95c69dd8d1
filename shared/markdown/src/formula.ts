import katex from 'katex';

/** Longer formulas are shown as source, because typesetting takes time in proportion to the length. */
const lengthMax = 4000;
/** Limits on the number of macro expansions, and on the size of parts in em. */
const limits = { maxExpand: 1000, maxSize: 20 };
/** These commands would write arbitrary text to the server's log, so they are undefined. */
const silenced = { '\\show': '\\undefined', '\\message': '\\undefined', '\\errmessage': '\\undefined' };

/** A formula as HTML, or null if KaTeX cannot typeset it. */
export function formula(source: string, { isDisplay }: { isDisplay: boolean }): string | null {
  if (source.length > lengthMax) return null;
  try {
    return katex.renderToString(source, {
      displayMode: isDisplay,
      trust: false,
      strict: 'ignore',
      // A formula may change the object, so each formula gets its own.
      macros: { ...silenced },
      ...limits,
    });
  } catch {
    // Beside its ParseError, KaTeX throws plain errors for some texts (`\begin{array}\Huge`), and thousands of nested
    // braces overflow its stack. In each case the text is not a formula.
    return null;
  }
}
