import { event } from './family.ts';

/** The organization has another address: queues of the old one end. It is meant for the nodes only. */
export const realmRenamed = event('realm_renamed', {}, { sent: [], forClient: () => [] });
