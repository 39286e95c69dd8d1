import { renderMarkdown } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { connection } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';
import { Html } from '../content/index.ts';

/** Shows a text as the server would render it. */
export function Preview({ content }: { content: string }) {
  const html = useSignal<string | null>(null);
  const error = useSignal('');
  useEffect(() => {
    const asking = new AbortController();
    renderMarkdown(connection(), content, asking.signal)
      .then((rendered) => (html.value = rendered))
      .catch((failure: unknown) => {
        if (!asking.signal.aborted) error.value = errorText(failure);
      });
    return () => asking.abort();
  }, [content]);
  return (
    <div class="preview" role="region" aria-label={commonText.preview}>
      {error.value && <p class="refusal-text">{error.value}</p>}
      {html.value === null ? (
        <p class="dim">{commonText.loading}</p>
      ) : (
        <Html class="rendered" html={html.value} />
      )}
    </div>
  );
}
