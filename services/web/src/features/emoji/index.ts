export { Glyph } from './glyph.tsx';
export { EmojiPopover, pickEmoji } from './pick.tsx';
