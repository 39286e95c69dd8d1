import { type Message, getMessageHistory } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { part } from '../live/state.ts';
import { Html } from '../messages/html.tsx';
import { connection } from '../session/session.ts';

type Snapshot = Awaited<ReturnType<typeof getMessageHistory>>[number];

/** What a message was, edit by edit. */
export function HistoryDialog({ message: { id } }: { message: Message }) {
  const snapshots = useSignal<readonly Snapshot[] | null>(null);
  const error = useSignal('');
  useEffect(() => {
    getMessageHistory(connection(), id)
      .then((history) => (snapshots.value = history))
      .catch((failure: unknown) => (error.value = failure instanceof Error ? failure.message : ''));
  }, [id]);
  if (error.value) return <p class="refusal-text">{error.value}</p>;
  if (snapshots.value === null) return <p class="dim">Loading …</p>;
  const users = part('users');
  return (
    <ol>
      {snapshots.value.map(({ timestamp, user_id, topic, rendered_content, prev_topic }, index) => (
        <li key={index}>
          <p class="dim">
            {new Date(timestamp * 1000).toLocaleString()}
            {user_id !== null && `, ${users.get(user_id)?.full_name ?? 'somebody'}`}
            {prev_topic !== undefined && `: from “${prev_topic}” to “${topic}”`}
          </p>
          {rendered_content !== undefined && <Html class="rendered" html={rendered_content} />}
        </li>
      ))}
    </ol>
  );
}
