export { ensureTopic } from './ensure.ts';
