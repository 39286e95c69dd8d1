export { extraEmoji, type ReactionType } from './extra.ts';
export {
  assertUsableEmoji,
  completeEmoji,
  findNamedEmoji,
  type Emoji,
  type EmojiRequest,
  getReactionType,
  listEmojiCalled,
  resolveEmoji,
} from './resolve.ts';
export { emojiState } from './state.ts';
export { unicodeEmojiNames } from './unicode-names.ts';
export { findUnicodeEmojiCode, isUnicodeEmojiCode } from './unicode.ts';
