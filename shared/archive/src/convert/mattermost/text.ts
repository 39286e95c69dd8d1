import { refer } from '../foreign.ts';
import { mentionAll } from '../markup.ts';
import { cleanText } from '../texts.ts';

/** The most characters that are translated. The longest message of Mattermost has a fifth of it. */
const rawMax = 100_000;

/** What names in a text stand for. */
export interface Names {
  /** Returns the key of the account with a user name. */
  readonly person: (name: string) => string | undefined;
  /** Returns the key of the channel with a name in its address. */
  readonly channel: (name: string) => string | undefined;
}

/** Returns a piece of a text without code in it, with its mentions and channels. */
const ofProse = (text: string, { person, channel }: Names): string =>
  text
    .replaceAll(/(?<![\w@/.])@([a-z0-9][\w.-]{0,63})/gi, (whole, name: string) => {
      if (/^(?:all|channel|here)$/i.test(name)) return mentionAll;
      // A full stop may end the sentence.
      for (let end = name.length; end > 0; end -= 1) {
        const key = person(name.slice(0, end).toLowerCase());
        if (key !== undefined) return `${refer('person', key)}${name.slice(end)}`;
        if (!/[._-]/.test(name[end - 1] ?? '')) break;
      }
      return whole;
    })
    .replaceAll(/(?<![\w~])~([a-z0-9][\w.-]{0,63})(?!~)/g, (whole, name: string) => {
      const key = channel(name);
      return key === undefined ? whole : refer('channel', key);
    });

/** Returns a text of Mattermost, which is Markdown, with people and channels as they are named here. */
export function ofMattermost(raw: string, names: Names): { text: string; mentionsAll: boolean } {
  const text = cleanText(raw.slice(0, rawMax))
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 0 ? ofProse(piece, names) : piece))
    .join('')
    .trim();
  return { text, mentionsAll: text.includes(mentionAll) };
}
