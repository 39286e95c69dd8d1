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
