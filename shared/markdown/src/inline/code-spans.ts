export interface CodeSpan {
  content: string;
  end: number;
}

/**
 * Returns code spans, which stand between two runs of equally many backticks, by their start. It takes one pass: each
 * run finds its closing run in a table.
 */
export function findCodeSpans(src: string): Map<number, CodeSpan> {
  const runs = [...src.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const next: (number | undefined)[] = [];
  const nextOfLength = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = (runs[at]?.end ?? 0) - (runs[at]?.start ?? 0);
    next[at] = nextOfLength.get(length);
    nextOfLength.set(length, at);
  }
  const spans = new Map<number, CodeSpan>();
  for (let at = 0; at < runs.length; at += 1) {
    const [opening, closing] = [runs[at], runs[next[at] ?? -1]];
    if (!opening || !closing) continue;
    spans.set(opening.start, { content: src.slice(opening.end, closing.start), end: closing.end });
    at = next[at] ?? at;
  }
  return spans;
}
