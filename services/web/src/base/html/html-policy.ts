interface HtmlPolicy {
  createHTML(html: string): string;
}

const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, policy: HtmlPolicy): HtmlPolicy };
};

/**
 * HTML comes from the server's renderer, which has a law of its own: it writes no script, no handler and no address
 * that runs one. The page's policy is the second wall. This is the one policy by which texts become elements.
 */
export const htmlPolicy: HtmlPolicy = trustedTypes?.createPolicy('parley', {
  createHTML: (html) => html,
}) ?? {
  createHTML: (html) => html,
};

/** Returns the words of a text that the server has rendered, in one line. */
export function plainText(html: string): string {
  const holder = document.createElement('template');
  holder.innerHTML = htmlPolicy.createHTML(html);
  return (holder.content.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
