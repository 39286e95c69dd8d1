import type { ListChange, MessageList } from '@parley/client';
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';

import { toClientNarrow } from '../../base/router/client-narrow.ts';
import type { Narrow } from '../../base/router/narrow.ts';
import { lists } from '../../data/live/follow.ts';
import { peek } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';

const open = { operator: 'channels', operand: 'web-public' } as const;

/** The client's list of a narrow for as long as the component is shown, and a number that rises when it changes. */
export function useList(
  narrow: Narrow,
  onChange: (change: ListChange) => void,
): { list: MessageList; version: Signal<number> } {
  const version = useSignal(0);
  // The component has the narrow as its key: it shows one as long as it is shown.
  const list = useMemo(() => {
    const terms = toClientNarrow(narrow, peek());
    return lists().open(isSpectator() ? [...terms, open] : terms);
  }, []);
  // At once, and not when the page has been drawn: what is asked for may have come before.
  useLayoutEffect(() => {
    const end = list.subscribe((change) => {
      onChange(change);
      version.value += 1;
    });
    return () => {
      end();
      list.close();
    };
  }, [list]);
  return { list, version };
}
