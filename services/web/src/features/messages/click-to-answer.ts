import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

import { reply } from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';

/** What does something of its own when it is clicked. */
const ownClicks =
  'a, button, input, textarea, select, summary, label, video, audio, [role="button"], .spoiler-block';

/** A click on a message answers it, unless it was for something in it, or marked a text. */
export function useClickToAnswer(scroller: RefObject<HTMLDivElement>): void {
  useEffect(() => {
    const { current } = scroller;
    const onClick = ({ target, button, detail }: MouseEvent) => {
      if (button !== 0 || detail > 1 || isSpectator() || !(target instanceof Element)) return;
      const id = target.closest('article[id^="message-"]')?.id.slice('message-'.length);
      if (id === undefined || target.closest(ownClicks) || target.matches('img')) return;
      if (getSelection()?.isCollapsed === false) return;
      const message = peek().messages.get(Number(id));
      if (message) reply(message);
    };
    current?.addEventListener('click', onClick);
    return () => current?.removeEventListener('click', onClick);
  }, []);
}
