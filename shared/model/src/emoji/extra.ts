/**
 * The one custom emoji that every server has. Clients of the original protocol call its type `zulip_extra_emoji`: the
 * server accepts both names and stores `svc_extra_emoji`. Which one a program is sent is decided in `zulip-names.ts` of
 * `shared/protocol`.
 */
export const extraEmoji = { name: 'zulip', code: 'zulip', type: 'svc_extra_emoji' } as const;

export const extraEmojiUrl = '/static/generated/emoji/images/emoji/zulip.png';

const reactionTypes = ['unicode_emoji', 'realm_emoji', 'svc_extra_emoji'] as const;

export type ReactionType = (typeof reactionTypes)[number];

/** Returns the reaction type that a client names, or undefined if there is no such type. */
export function findReactionType(raw: string): ReactionType | undefined {
  return raw === 'zulip_extra_emoji' ? extraEmoji.type : reactionTypes.find((type) => type === raw);
}
