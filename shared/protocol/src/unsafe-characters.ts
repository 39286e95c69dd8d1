/**
 * Characters that would break a line, be invisible, or change the direction of the text around them, so that a name
 * could be read as another. Joiners stay: emoji and several scripts are written with them.
 */
export const unsafeCharacters =
  /[\p{Cc}\p{Cs}\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
