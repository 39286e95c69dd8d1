import { event } from './family.ts';

/** A user's API key was replaced, or their sessions changed. It is meant for the nodes only: no client is sent it. */
export const keyRegenerated = event('key_regenerated', {}, { sent: [], forClient: () => [] });
