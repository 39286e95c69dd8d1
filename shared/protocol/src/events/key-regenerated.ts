import { event } from './family.ts';

/** A user's API key was replaced. For the nodes alone: no client is sent it. */
export const keyRegenerated = event('key_regenerated', {}, { forClient: () => [] });
