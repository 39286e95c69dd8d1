import { slice, own } from '../live/state.ts';

/** Whether messages of a channel have topics: `any`, the one without a name included; `named`; or `none` at all. */
export type TopicRule = 'any' | 'named' | 'none';

/** Returns the rule of a channel. It subscribes to the state that it reads. */
export function topicRuleOf(channelId: number | null): TopicRule {
  const channel = channelId === null ? undefined : slice('channels').get(channelId);
  const policy = channel?.topics_policy ?? 'inherit';
  const inherited = policy === 'inherit' ? own('realm_topics_policy') : policy;
  if (inherited === 'empty_topic_only') return 'none';
  return inherited === 'disable_empty_topic' ? 'named' : 'any';
}
