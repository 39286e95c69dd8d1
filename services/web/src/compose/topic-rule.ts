import { part, own } from '../live/state.ts';

/** Whether messages of a channel have topics: `any`, the one without a name included; `named`; or `none` at all. */
export type TopicRule = 'any' | 'named' | 'none';

/** What holds in a channel. The state that it rests on is read as components read it. */
export function topicRuleOf(channelId: number | null): TopicRule {
  const channel = channelId === null ? undefined : part('channels').get(channelId);
  const policy = channel?.topics_policy ?? 'inherit';
  const inherited = policy === 'inherit' ? own('realm_topics_policy') : policy;
  if (inherited === 'empty_topic_only') return 'none';
  return inherited === 'disable_empty_topic' ? 'named' : 'any';
}
