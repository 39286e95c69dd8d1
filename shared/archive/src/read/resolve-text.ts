import type { Numbers } from '../tables/table.ts';
import type { Numbering } from './numbering.ts';

export type TextRewriter = (text: string) => string;

/** Where ids stand in texts: `$1` comes before each, or before several with commas between them. */
const places: readonly (readonly [RegExp, Numbers])[] = [
  // Mentions that say whom they mean among several of a name.
  [/(@_?\*\*[^*\n|]{0,200}\|)(\d{1,10})(?=\*\*)/g, 'users'],
  [/(\bnarrow\/(?:dm|pm-with)\/)(\d{1,10}(?:,\d{1,10})*)/g, 'users'],
  [/((?:^|[#/])narrow\/(?:channel|stream)\/)(\d{1,10})(?=-|\/|$|[^\w])/g, 'channels'],
  [/(\bnarrow\/[^\s"')]*\/(?:near|with|id)\/)(\d{1,16})/g, 'messages'],
  [/((?:user_uploads|user_uploads\/thumbnail|user_avatars)\/)(\d{1,10})(?=\/)/g, 'realms'],
];

/**
 * Returns a function that gives the ids in texts their new numbers. An id that the archive does not have becomes 0, which
 * nothing has, and one of a message that is gone that of the message before it.
 */
export function createTextRewriter(numbering: Numbering): TextRewriter {
  const moving = places.filter(([, numbers]) => numbering.moves(numbers));
  const newId = (numbers: Numbers, id: number) =>
    numbers === 'messages'
      ? (numbering.ofMessages(1, id + 1)?.[1] ?? 1) - 1
      : (numbering.of(numbers, id) ?? 0);
  return (text) => {
    let changed = text;
    for (const [pattern, numbers] of moving) {
      changed = changed.replaceAll(pattern, (_, start: string, ids: string) => {
        const renumbered = ids.split(',').map((id) => newId(numbers, Number(id)));
        return `${start}${renumbered.join(',')}`;
      });
    }
    return changed;
  };
}
