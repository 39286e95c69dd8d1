export { readStorage } from './read.ts';
