export { automaticTopicPolicy } from './automatic-policy.ts';
export { findTopicPolicies, listUserTopics } from './find.ts';
export { moreVisiblePolicy, topicPolicies } from './policies.ts';
export { mutedTopicsState, userTopicsState } from './state.ts';
