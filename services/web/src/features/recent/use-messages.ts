import type { Message, MessageList } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { client } from '../../data/live/follow.ts';

/** The conversations of this many messages are shown at first; each press for more adds as many. */
const portion = 1000;

/** The newest messages of everywhere, which events keep true, and a way to more of them. */
export function useRecentMessages() {
  const version = useSignal(0);
  const wanted = useRef(portion);
  const list = useRef<MessageList | null>(null);

  function loadMore(): void {
    const { current } = list;
    if (!current || current.hasOldest || current.loading || current.ids.length >= wanted.current) return;
    void current.loadOlder();
  }

  useEffect(() => {
    const opened = client()?.lists.open([]);
    if (!opened) return undefined;
    list.current = opened;
    const unsubscribe = opened.subscribe(() => {
      version.value += 1;
      if (opened.error === null) loadMore();
    });
    void opened.load('newest');
    return () => {
      list.current = null;
      unsubscribe();
      opened.close();
    };
  }, []);

  void version.value;
  const { current } = list;
  const messages = (current?.ids ?? []).flatMap((id): Message[] => {
    const message = current?.message(id);
    return message ? [message] : [];
  });
  return {
    messages,
    error: current?.error ?? null,
    isLoading: current === null || current.loading !== null,
    hasOldest: current?.hasOldest ?? false,
    loadMore: () => {
      wanted.current += portion;
      loadMore();
    },
  };
}
