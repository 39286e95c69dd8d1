/**
 * The one emoji that the server brings along. Clients of the original protocol call its type `zulip_extra_emoji`: both
 * are read, and the contract's is what is stored and answered.
 */
export const extraEmoji = { name: 'zulip', code: 'zulip', type: 'svc_extra_emoji' } as const;

export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'svc_extra_emoji'] as const;

export type ReactionType = (typeof reactionTypes)[number];

/** A type as the contract calls it; undefined for what is none. */
export function findReactionType(raw: string): ReactionType | undefined {
  return raw === 'zulip_extra_emoji' ? extraEmoji.type : reactionTypes.find((type) => type === raw);
}
