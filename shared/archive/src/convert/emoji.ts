import * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { nameToEmoji } from 'gemoji';

/** Names that other products have for emoji which neither this one nor GitHub knows by them. */
const others: Readonly<Record<string, string>> = {
  thinking_face: '1f914',
  hugging_face: '1f917',
  face_palm: '1f926',
  shrug: '1f937',
  simple_smile: '1f642',
  partying_face: '1f973',
  saluting_face: '1fae1',
  melting_face: '1fae0',
  face_with_monocle: '1f9d0',
  nerd_face: '1f913',
  money_mouth_face: '1f911',
  upside_down_face: '1f643',
  zipper_mouth_face: '1f910',
  face_with_rolling_eyes: '1f644',
  hand: '270b',
  the_horns: '1f918',
  sign_of_the_horns: '1f918',
  i_love_you_hand_sign: '1f91f',
  spock: '1f596',
  reversed_hand_with_middle_finger_extended: '1f595',
  knife_fork_plate: '1f37d',
  tornado: '1f32a',
  star_struck: '1f929',
  exploding_head: '1f92f',
  shushing_face: '1f92b',
  heart_hands: '1faf6',
};

/** Returns the code of the emoji that another product calls so; undefined if there is none. */
export function emojiCodeOf(name: string): string | undefined {
  const [plain = ''] = name.split('::');
  const picture = nameToEmoji[plain];
  const codes = [Object.hasOwn(others, plain) ? others[plain] : undefined, picture && codeOf(picture)];
  const known = codes.find(
    (code) => code !== undefined && code !== '' && model.emoji.isUnicodeEmojiCode(code),
  );
  return known ?? model.emoji.findUnicodeEmojiCode(plain);
}

/** Returns the code of an emoji of Unicode: its code points without variation selectors. */
const codeOf = (picture: string): string =>
  [...picture]
    .map((one) => one.codePointAt(0)?.toString(16) ?? '')
    .filter((code) => code !== 'fe0f')
    .join('-');

/** Returns the name that an emoji has here. */
export const emojiNameOf = (code: string): string => model.emoji.unicodeEmojiNames[code]?.[0] ?? code;

/** Returns the name that a custom emoji may have here. */
export const customEmojiName = (name: string): string | undefined => {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
    .replace(/[_-]+$/, '')
    .slice(0, limits.emojiLength);
  return /[a-z0-9]$/.test(plain) ? plain : undefined;
};

/** Pictures that an emoji may be, by the bytes with which they begin. */
const beginnings: readonly (readonly [string, RegExp])[] = [
  ['png', /^\u0089PNG\r\n/],
  ['gif', /^GIF8[79]a/],
  ['jpeg', /^\u00FF\u00D8\u00FF/],
  // eslint-disable-next-line no-control-regex
  ['webp', /^RIFF[\s\S]{4}WEBP/],
];

/** Returns the extension of a picture; undefined of what is none. */
export const pictureExtension = (content: Buffer): string | undefined =>
  beginnings.find(([, pattern]) => pattern.test(content.subarray(0, 16).toString('latin1')))?.[0];
