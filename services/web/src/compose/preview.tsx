import { renderMarkdown } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Html } from '../messages/html.tsx';
import { connection } from '../session/session.ts';

/** What is written as the server would show it. */
export function Preview({ content }: { content: string }) {
  const html = useSignal<string | null>(null);
  const error = useSignal('');
  useEffect(() => {
    const asking = new AbortController();
    renderMarkdown(connection(), content, asking.signal)
      .then((rendered) => (html.value = rendered))
      .catch((failure: unknown) => {
        if (!asking.signal.aborted) error.value = failure instanceof Error ? failure.message : 'No preview.';
      });
    return () => asking.abort();
  }, [content]);
  return (
    <div class="preview" role="region" aria-label="Preview">
      {error.value && <p class="refusal-text">{error.value}</p>}
      {html.value === null ? <p class="dim">Loading …</p> : <Html class="rendered" html={html.value} />}
    </div>
  );
}
