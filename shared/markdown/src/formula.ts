import katex from 'katex';

/** Longer formulas are shown as source, because typesetting takes time in proportion to the length. */
const lengthMax = 4000;
/** Limits on the number of macro expansions, and on the size of parts in em. */
const limits = { maxExpand: 1000, maxSize: 20 };
/** These commands would write arbitrary text to the server's log, so they are undefined. */
const silenced = { '\\show': '\\undefined', '\\message': '\\undefined', '\\errmessage': '\\undefined' };

/**
 * Commands that define macros. KaTeX bounds how often a macro is expanded, not how much it grows, so a short formula
 * could take minutes: a formula that defines one is shown as source.
 */
const definitions = new Set(
  `def gdef edef xdef let futurelet global long globallong newcommand renewcommand providecommand`.split(' '),
);

/** Names with an @ are KaTeX's own, some of which hold what a formula has put into them. */
const isForbidden = (command: string) => definitions.has(command) || command.includes('@');

const definesMacros = (source: string): boolean =>
  [...source.matchAll(/\\(?:([a-zA-Z@]+)|[^])/g)].some(([, command]) => command && isForbidden(command));

/** Returns a formula as HTML, or null if it cannot be typeset. */
export function formula(source: string, { isDisplay }: { isDisplay: boolean }): string | null {
  if (source.length > lengthMax || definesMacros(source)) return null;
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
