/** Puts a text into a fence that is longer than any in the text, so that the text cannot close it. */
export function fenced(kind: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text}\n${fence}`;
}
