import { topicKey } from '@parley/client';

import { part } from '../live/state.ts';
import { connection, isSpectator } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

import './actions.css';

/** How a person treats a topic, as `visibility_policy` says it. */
const policies = { 0: 'As the channel', 1: 'Muted', 2: 'Unmuted', 3: 'Followed' } as const;

/** What can be done with a topic. */
export function TopicActions({ stream, topic }: { stream: number; topic: string }) {
  if (isSpectator()) return null;
  const policy = part('topics').get(topicKey(stream, topic))?.visibility_policy ?? 0;
  return (
    <select
      aria-label="This topic is"
      value={String(policy)}
      onChange={({ currentTarget }) => {
        const visibility_policy = Number(currentTarget.value);
        connection().post('/user_topics', { stream_id: stream, topic, visibility_policy }).catch(tellError);
      }}
    >
      {Object.entries(policies).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
