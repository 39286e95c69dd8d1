/** What the newest client can read. */
export { capabilities as newest } from '@parley/client';
