export { findTopic } from './find.ts';
export { getReadableTopic, listTopics } from './list.ts';
