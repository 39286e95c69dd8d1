/** Longer texts may take more than a few milliseconds, whatever is in them. */
const lengthMax = 2000;
/** Texts with formulas may take more than a few milliseconds if they are longer than this. */
const withFormulasMax = 200;
/** A fence that may hold a formula, or code in a language: its grammar may have to be loaded first. A script names its own. */
const namedFence = /(?:`{3}|~{3})[ \t]*[^\s`~]/;
const anyCode = /`{3}|~{3}|^(?: {4}|\t)/m;

/** What linkifiers may take for a text that is parsed on the event loop, which is some 10 ms. */
export const quickLinkifierSteps = 250_000;

/** Returns whether a text is sure to be parsed within a few milliseconds, but for what linkifiers take. */
export function isQuickToParse(source: string, defaultCodeLanguage: string | null): boolean {
  if (source.length > lengthMax) return false;
  if (source.includes('$$') && source.length > withFormulasMax) return false;
  const isNamed = defaultCodeLanguage !== null || source.includes('#!');
  return !(isNamed ? anyCode : namedFence).test(source);
}
