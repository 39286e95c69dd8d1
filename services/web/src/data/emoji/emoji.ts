import type { Emoji } from '@parley/client';
import { signal } from '@preact/signals';

import { onceDone } from '../../base/functions/once.ts';
import { emojiText } from '../../strings/emoji.ts';
import { slice, peek } from '../live/state.ts';
import { characterOf } from './character.ts';

interface RealmEmoji {
  id: string;
  name: string;
  source_url: string;
  deactivated: boolean;
}

export interface NamedEmoji extends Emoji {
  /** All names under which it is found. */
  names: readonly string[];
  /** Where its picture is; null where the character itself is shown. */
  picture: string | null;
}

/** The server's names of Unicode characters, by code points in hexadecimal with dashes. */
const unicode = signal<readonly NamedEmoji[]>([]);

/** Loads the server's names of emoji, once. */
export const loadEmoji = onceDone(load);

async function load(): Promise<void> {
  const { pathname } = new URL(String(peek().own['server_emoji_data_url']), location.href);
  const response = await fetch(pathname);
  if (!response.ok) throw new Error(emojiText.failed);
  const { code_to_names: byCode } = (await response.json()) as { code_to_names: Record<string, string[]> };
  const points = (code: string) => Number.parseInt(code, 16);
  unicode.value = Object.entries(byCode)
    .map(([code, names]) => ({
      emoji_name: names[0] ?? code,
      emoji_code: code,
      reaction_type: 'unicode_emoji' as const,
      names,
      picture: null,
    }))
    .sort((a, b) => groupOf(points(a.emoji_code)) - groupOf(points(b.emoji_code)));
}

/** Faces first, then hands and people, and all the others in the order of their code points. */
const groupOf = (point: number): number => {
  if (point >= 0x1_f6_00 && point <= 0x1_f6_44) return point - 0x2_00_00;
  if (point >= 0x1_f9_10 && point <= 0x1_f9_2f) return point - 0x2_00_00;
  if (point >= 0x1_f4_40 && point <= 0x1_f4_87) return point - 0x1_00_00;
  return point;
};

/** The emoji that people use most are offered first. */
const usual = [
  '1f44d',
  '2764',
  '1f602',
  '1f389',
  '1f642',
  '1f440',
  '1f64f',
  '2705',
  '1f680',
  '1f622',
  '1f44e',
];

const asNamed = ({ id, name, source_url }: RealmEmoji): NamedEmoji => ({
  emoji_name: name,
  emoji_code: id,
  reaction_type: 'realm_emoji',
  names: [name],
  picture: source_url,
});

const realmEmoji = (all: unknown) => Object.values((all ?? {}) as Record<string, RealmEmoji>);

/** Every emoji that can be used: the usual ones, the organization's, and all the others. */
export function allEmoji(): readonly NamedEmoji[] {
  const own = slice('own')['realm_emoji'];
  const custom = realmEmoji(own)
    .filter(({ deactivated }) => !deactivated)
    .map(asNamed);
  const usedNames = new Set(custom.map(({ emoji_name }) => emoji_name));
  const free = unicode.value.filter(({ emoji_name }) => !usedNames.has(emoji_name));
  const first = usual.map((code) => free.find(({ emoji_code }) => emoji_code === code));
  const known = first.filter((one) => one !== undefined);
  return [...known, ...custom, ...free.filter((one) => !known.includes(one))];
}

/** Returns how an emoji is displayed: its picture, or its character, which may be empty. */
export function appearanceOf({ reaction_type, emoji_code }: Emoji): {
  picture: string | null;
  character: string;
} {
  if (reaction_type === 'unicode_emoji') return { picture: null, character: characterOf(emoji_code) };
  if (reaction_type !== 'realm_emoji') {
    return { picture: `/static/generated/emoji/images/emoji/${emoji_code}.png`, character: '' };
  }
  const own = peek().own['realm_emoji'] as Record<string, RealmEmoji> | undefined;
  return { picture: own?.[emoji_code]?.source_url ?? null, character: '' };
}
