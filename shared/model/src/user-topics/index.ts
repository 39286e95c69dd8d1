export { automaticTopicPolicy } from './automatic-policy.ts';
export { mutedTopicsEvent } from './events.ts';
export { findTopicPolicies, listUserTopics, type UserTopic } from './find.ts';
export { moreVisiblePolicy, topicPolicies } from './policies.ts';
export { mutedTopicsState, userTopicsState } from './state.ts';
