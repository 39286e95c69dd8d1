import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { complete } from './complete.ts';

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
const policy: HtmlPolicy = trustedTypes?.createPolicy('parley', { createHTML: (html) => html }) ?? {
  createHTML: (html) => html,
};

/** How formulas are laid out: some kilobytes and fonts, which most pages need not. */
let formulaStyles: Promise<unknown> | undefined;

/** A text that the server has rendered, completed. Nothing else of the client makes elements of texts. */
export function Html({ html, class: name }: { html: string; class?: string }) {
  if (html.includes('class="katex')) formulaStyles ??= import('katex/dist/katex.min.css');
  // The same object for the same text: what was done to the elements since then stays.
  const content = useMemo(() => ({ __html: policy.createHTML(html) }), [html]);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current) complete(box.current);
  }, [html]);
  // oxlint-disable-next-line react/no-danger
  return <div ref={box} class={name} dir="auto" dangerouslySetInnerHTML={content} />;
}
