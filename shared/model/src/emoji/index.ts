export { extraEmoji, type ReactionType } from './extra.ts';
export {
  assertUsableEmoji,
  completeEmoji,
  type Emoji,
  type EmojiRequest,
  findNamedEmoji,
  getReactionType,
  listEmojiCalled,
  resolveEmoji,
} from './resolve.ts';
export { emojiState } from './state.ts';
export { unicodeEmojiNames } from './unicode-names.ts';
export { findUnicodeEmojiCode, isUnicodeEmojiCode } from './unicode.ts';
