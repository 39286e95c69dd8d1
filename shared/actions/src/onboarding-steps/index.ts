export { markSeen } from './mark-seen.ts';
