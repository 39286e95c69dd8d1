/** Where code in some language can be tried, as the organization has set it. */
export interface Playground {
  name: string;
  pygments_language: string;
  /** An RFC 6570 template with one variable, `code`. */
  url_template: string;
}

const expressions = /\{([+#./;?&]?)code\*?\}/g;

/** Returns what an expression of a template becomes, by the sign that it begins with. */
const expansions: Readonly<Record<string, (code: string) => string>> = {
  '': (code) => code,
  '+': (code) => code,
  '#': (code) => `#${code}`,
  '.': (code) => `.${code}`,
  '/': (code) => `/${code}`,
  ';': (code) => `;code=${code}`,
  '?': (code) => `?code=${code}`,
  '&': (code) => `&code=${code}`,
};

/** What is longer no browser leads to. */
const addressMax = 32_000;

/** Returns the address at which a playground has some code; null for one that is no page of the web. */
export function playgroundAddress({ url_template }: Playground, code: string): string | null {
  const encoded = encodeURIComponent(code);
  const filled = url_template.replaceAll(expressions, (_, sign: string) => expansions[sign]?.(encoded) ?? '');
  return /^https?:\/\//i.test(filled) && filled.length <= addressMax ? filled : null;
}

/** Returns the playgrounds for a language, by the name that the server gives it. */
export const playgroundsFor = (playgrounds: readonly Playground[], language: string): Playground[] =>
  playgrounds.filter((one) => one.pygments_language.toLowerCase() === language.toLowerCase());
