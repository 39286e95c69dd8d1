export { listReactions, presentReaction, type ReactionRow } from './find.ts';
