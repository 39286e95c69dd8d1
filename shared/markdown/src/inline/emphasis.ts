import type { StateInline, Token } from 'markdown-it';

interface Pair {
  /** The positions where the opening delimiter starts and the closing one ends. */
  start: number;
  end: number;
  delimiter: string;
}

/** Delimiters of emphasis in the order in which they are paired. No pattern reads the text between delimiters twice. */
const delimiters = [
  { delimiter: '***', pattern: /\*{3}(?!\s)[^*\n]+(?<!\s)\*{3}/g },
  { delimiter: '**', pattern: /\*\*[^\n]+?\*\*/g },
  { delimiter: '*', pattern: /\*(?!\s)[^*\n]+(?<!\s)\*/g },
  { delimiter: '~~', pattern: /(?<!~)~~(?!~)[^~\n]+~~(?!~)/g },
];

const tags: Record<string, readonly string[]> = {
  '***': ['strong', 'em'],
  '**': ['strong'],
  '*': ['em'],
  '~~': ['del'],
};

/** Replaces text that delimiters may enclose but not reach into, one placeholder for each character. */
const placeholder = '\uFFFC';

function findPairs(text: string, base: number, from: number, pairs: Pair[]): void {
  let visible = text;
  for (const [index, { delimiter, pattern }] of delimiters.entries()) {
    if (index < from || !visible.includes(delimiter)) continue;
    let masked = '';
    let done = 0;
    for (const { index: start, 0: enclosed } of visible.matchAll(pattern)) {
      const end = start + enclosed.length;
      pairs.push({ start: base + start, end: base + end, delimiter });
      findPairs(
        enclosed.slice(delimiter.length, -delimiter.length),
        base + start + delimiter.length,
        index + 1,
        pairs,
      );
      masked += visible.slice(done, start) + placeholder.repeat(enclosed.length);
      done = end;
    }
    if (done > 0) visible = masked + visible.slice(done);
  }
}

interface DelimiterCut {
  at: number;
  length: number;
  tags: readonly string[];
  isOpening: boolean;
}

/** Replaces the delimiters of emphasis in a line with elements, after all other inline markup has been parsed. */
export function emphasise(state: StateInline): void {
  if (!state.src.includes('*') && !state.src.includes('~~')) return;
  const groups = groupLinks(state.tokens);
  let text = '';
  for (const group of groups) text += textOf(group);
  const pairs: Pair[] = [];
  findPairs(text, 0, 0, pairs);
  const cuts = pairs
    .flatMap(({ start, end, delimiter }): DelimiterCut[] => {
      const [length, names] = [delimiter.length, tags[delimiter] ?? []];
      return [
        { at: start, length, tags: names, isOpening: true },
        { at: end - length, length, tags: names.toReversed(), isOpening: false },
      ];
    })
    .sort((a, b) => a.at - b.at);
  const output = applyCuts(groups, cuts, state);
  state.tokens.length = 0;
  for (const token of output) state.tokens.push(token);
}

function applyCuts(groups: Token[][], cuts: readonly DelimiterCut[], state: StateInline): Token[] {
  const output: Token[] = [];
  let [next, at] = [0, 0];
  for (const group of groups) {
    const [token] = group;
    if (!token) continue;
    if (token.type !== 'text') {
      output.push(...group);
      at += 1;
      continue;
    }
    const end = at + token.content.length;
    let from = at;
    for (let cut = cuts[next]; cut && cut.at < end; cut = cuts[(next += 1)]) {
      pushText(output, token.content.slice(from - at, cut.at - at), state);
      for (const tag of cut.tags)
        output.push(new state.Token(cut.isOpening ? 'open' : 'close', tag, cut.isOpening ? 1 : -1));
      from = cut.at + cut.length;
    }
    if (from === at) output.push(token);
    else pushText(output, token.content.slice(from - at), state);
    at = end;
  }
  return output;
}

function pushText(output: Token[], content: string, state: StateInline): void {
  if (content === '') return;
  const token = new state.Token('text', '', 0);
  token.content = content;
  output.push(token);
}

/** Emphasis takes a link as one unit and does not reach into its text. */
function groupLinks(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let link: Token[] | null = null;
  for (const token of tokens) {
    if (token.type === 'link_open') groups.push((link = [token]));
    else if (link) link.push(token);
    else groups.push([token]);
    if (token.type === 'link_close') link = null;
  }
  return groups;
}

function textOf([token]: Token[]): string {
  if (token?.type === 'text') return token.content;
  return token?.type === 'softbreak' || token?.type === 'hardbreak' ? '\n' : placeholder;
}
