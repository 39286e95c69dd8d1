import katex from 'katex';

/** Longer formulas are shown as they were written: typesetting takes time with their length. */
const lengthMax = 4000;
/** How often macros of a formula may be replaced, and how large its parts may be, in em. */
const limits = { maxExpand: 1000, maxSize: 20 };
/** These would write to the log of the server what anybody likes. They are commands that do not exist. */
const silenced = { '\\show': '\\undefined', '\\message': '\\undefined', '\\errmessage': '\\undefined' };

/** A formula as HTML, or null where it is none. */
export function formula(source: string, { isDisplay }: { isDisplay: boolean }): string | null {
  if (source.length > lengthMax) return null;
  try {
    return katex.renderToString(source, {
      displayMode: isDisplay,
      trust: false,
      strict: 'ignore',
      // A formula may change the object, so each has its own.
      macros: { ...silenced },
      ...limits,
    });
  } catch {
    // Beside its ParseError it throws plain errors at some texts (`\begin{array}\Huge`), and braces nested by the thousand
    // exhaust its stack: in each case the text is no formula.
    return null;
  }
}
