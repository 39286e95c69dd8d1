import { type Message, getRawContent } from '@parley/client';
import { useEffect, useState } from 'preact/hooks';

import { copy } from '../../data/actions/verbs.ts';
import { connection } from '../../data/session/session.ts';
import { actionText } from '../../strings/actions.ts';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';

/** What the sender of a message wrote, as it was written. */
export function SourceDialog({ message: { id } }: { message: Message }) {
  const [source, setSource] = useState<string | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    getRawContent(connection(), id)
      .then(setSource)
      .catch((failure: unknown) => setError(errorText(failure)));
  }, [id]);
  if (error) return <p class="refusal-text">{error}</p>;
  if (source === null) return <p class="dim">{commonText.loading}</p>;
  return (
    <>
      <pre class="message-source" dir="auto">
        {source}
      </pre>
      <button type="button" onClick={() => copy(source)}>
        {actionText.copySource}
      </button>
    </>
  );
}
