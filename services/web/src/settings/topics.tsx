import { part } from '../live/state.ts';
import { toTopic } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

const policies = [
  [3, 'Followed'],
  [2, 'Unmuted'],
  [1, 'Muted'],
  [0, 'As the channel'],
] as const;

/** The topics that one follows, mutes or unmutes. */
export function Topics() {
  const channels = part('channels');
  const topics = [...part('topics').values()].sort((a, b) => b.last_updated - a.last_updated);
  if (topics.length === 0) return <p class="dim">You follow and mute no topics.</p>;
  return (
    <table class="table">
      <thead>
        <tr>
          <th>Topic</th>
          <th>Since</th>
          <th>How</th>
        </tr>
      </thead>
      <tbody>
        {topics.map(({ stream_id, topic_name, visibility_policy, last_updated }) => {
          const channel = channels.get(stream_id)?.name ?? '';
          const topic = topic_name || 'general chat';
          return (
            <tr key={`${stream_id} ${topic_name}`}>
              <th scope="row">
                <a href={toTopic(stream_id, channel, topic_name)}>
                  #{channel} › {topic}
                </a>
              </th>
              <td>{new Date(last_updated * 1000).toLocaleDateString()}</td>
              <td>
                <select
                  aria-label={`How ${topic} is treated`}
                  onChange={({ currentTarget }) => {
                    const policy = policies[currentTarget.selectedIndex]?.[0];
                    const change = { stream_id, topic: topic_name, visibility_policy: policy };
                    connection().post('/user_topics', change).catch(tellError);
                  }}
                >
                  {policies.map(([policy, text]) => (
                    <option key={policy} selected={policy === visibility_policy}>
                      {text}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
