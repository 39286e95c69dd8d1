import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { once } from '../../base/functions/once.ts';
import { htmlPolicy } from '../../base/html/html-policy.ts';
import { emojiSet } from '../../data/emoji/emoji-set.ts';
import { complete, completeEmoji } from './complete.ts';

/** How formulas are laid out: some kilobytes and fonts, which most pages need not. */
const loadFormulaStyles = once(() => import('katex/dist/katex.min.css'));

/** A text that the server has rendered, completed. Nothing else of the client makes elements of texts. */
export function Html({ html, class: name }: { html: string; class?: string }) {
  if (html.includes('class="katex')) void loadFormulaStyles();
  // The same object for the same text: what was done to the elements since then stays.
  const content = useMemo(() => ({ __html: htmlPolicy.createHTML(html) }), [html]);
  const box = useRef<HTMLDivElement>(null);
  const set = emojiSet();
  useLayoutEffect(() => {
    if (box.current) complete(box.current);
  }, [html]);
  useLayoutEffect(() => {
    for (const emoji of box.current?.querySelectorAll<HTMLElement>('span.emoji') ?? [])
      completeEmoji(emoji, set);
  }, [html, set]);
  // oxlint-disable-next-line react/no-danger
  return <div ref={box} class={name} dir="auto" dangerouslySetInnerHTML={content} />;
}
