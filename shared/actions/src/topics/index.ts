export { createTopic, ensureTopic } from './ensure.ts';
