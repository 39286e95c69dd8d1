/**
 * How many ids stay free below the first message of an organization, for what was written elsewhere before: clients show
 * messages in the order of their ids. As many are left up to 2^31, above which a client may read ids wrongly.
 */
export const idsForHistory = 1_000_000_000;
