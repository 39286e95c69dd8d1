/**
 * How many ids stay free below the first message of an organization, for what was written elsewhere before: clients show
 * messages in the order of their ids. Some ask for the newest messages by the anchor 1 000 000 000, which is to stay above
 * all ids for a long time.
 */
export const idsForHistory = 100_000_000;
