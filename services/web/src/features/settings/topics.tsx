import { toTopic } from '../../base/router/narrow.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { newestKnown } from '../../data/topics/topics.ts';
import { commonText, nameText, topicPolicyText } from '../../strings/common.ts';
import { locale } from '../../strings/language.ts';
import { topicSettingText } from '../../strings/settings.ts';

const policies = [
  [3, topicPolicyText[3]],
  [2, topicPolicyText[2]],
  [1, topicPolicyText[1]],
  [0, topicPolicyText[0]],
] as const;

/** The topics that one follows, mutes or unmutes. */
export function Topics() {
  const channels = slice('channels');
  const topics = [...slice('topics').values()].sort((a, b) => b.last_updated - a.last_updated);
  if (topics.length === 0) return <p class="dim">{topicSettingText.none}</p>;
  return (
    <table class="table">
      <thead>
        <tr>
          <th>{commonText.topic}</th>
          <th>{topicSettingText.since}</th>
          <th>{topicSettingText.policy}</th>
        </tr>
      </thead>
      <tbody>
        {topics.map(({ stream_id, topic_name, visibility_policy, last_updated }) => {
          const channel = channels.get(stream_id)?.name ?? '';
          const topic = topic_name || nameText.generalChat;
          return (
            <tr key={`${stream_id} ${topic_name}`}>
              <th scope="row">
                <a
                  href={toTopic(stream_id, channel, topic_name, { with: newestKnown(stream_id, topic_name) })}
                >
                  #{channel} › {topic}
                </a>
              </th>
              <td>{new Date(last_updated * 1000).toLocaleDateString(locale())}</td>
              <td>
                <select
                  aria-label={topicSettingText.policyOf(topic)}
                  onChange={({ currentTarget }) => {
                    const policy = policies[currentTarget.selectedIndex]?.[0];
                    const change = { stream_id, topic: topic_name, visibility_policy: policy };
                    connection().post('/user_topics', change).catch(showError);
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
