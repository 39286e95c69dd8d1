/** How many channels and people every large archive has, whatever the number of its messages. */
export const channelCount = 20;
export const userCount = 200;

const words =
  'the build of this morning is green again and we can ship the new version after lunch if nobody minds it'.split(
    ' ',
  );

/** The text of a message: from six to nineteen words, which begin at one that depends on `from`. */
export function textOf(index: number, from = index): string {
  const at = from % words.length;
  return [...words.slice(at), ...words.slice(0, at)].slice(0, 6 + (index % 14)).join(' ');
}
