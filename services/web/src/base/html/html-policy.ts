interface HtmlPolicy {
  createHTML(html: string): string;
  createScriptURL(path: string): string;
}

/** The script of the service worker is the only one that the page names. */
function assertOwnScript(path: string): string {
  if (path !== '/service-worker.js') throw new TypeError(path);
  return path;
}

const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, policy: HtmlPolicy): HtmlPolicy };
};

const rules: HtmlPolicy = { createHTML: (html) => html, createScriptURL: assertOwnScript };

/**
 * HTML of the page comes from the server's renderer, which has a law of its own: it writes no script, no handler and no
 * address that runs one. The page's policy is the second wall. This is the one policy by which texts become elements.
 */
export const htmlPolicy: HtmlPolicy = trustedTypes?.createPolicy('parley', rules) ?? rules;

/** Returns the address of a script of the client as the page’s policy trusts it. */
export const scriptUrl = (path: string): string => htmlPolicy.createScriptURL(path);

/** Parses HTML from wherever into a document of its own, in which nothing is loaded or run. */
export const parseApart = (html: string): HTMLElement =>
  new DOMParser().parseFromString(htmlPolicy.createHTML(html), 'text/html').body;

/** Returns the words of a text that the server has rendered, in one line. */
export function plainText(html: string): string {
  const holder = document.createElement('template');
  holder.innerHTML = htmlPolicy.createHTML(html);
  return (holder.content.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
