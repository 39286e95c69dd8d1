import type { StateInline, Token } from 'markdown-it';

interface Pair {
  /** Where its marks begin and end. */
  start: number;
  end: number;
  mark: string;
}

/** Which marks are paired, the earlier ones first, and how. No text between marks is read twice by one of these. */
const delimiters = [
  { mark: '***', pattern: /\*{3}(?!\s)[^*\n]+(?<!\s)\*{3}/g },
  { mark: '**', pattern: /\*\*[^\n]+?\*\*/g },
  { mark: '*', pattern: /\*(?!\s)[^*\n]+(?<!\s)\*/g },
  { mark: '~~', pattern: /(?<!~)~~(?!~)[^~\n]+~~(?!~)/g },
];

const tags: Record<string, readonly string[]> = {
  '***': ['strong', 'em'],
  '**': ['strong'],
  '*': ['em'],
  '~~': ['del'],
};

/** Stands for what marks may embrace but not reach into: one character for each that it hides. */
const placeholder = '\uFFFC';

function findPairs(text: string, base: number, from: number, pairs: Pair[]): void {
  let shown = text;
  for (const [index, { mark, pattern }] of delimiters.entries()) {
    if (index < from || !shown.includes(mark)) continue;
    let masked = '';
    let done = 0;
    for (const { index: start, 0: found } of shown.matchAll(pattern)) {
      const end = start + found.length;
      pairs.push({ start: base + start, end: base + end, mark });
      findPairs(found.slice(mark.length, -mark.length), base + start + mark.length, index + 1, pairs);
      masked += shown.slice(done, start) + placeholder.repeat(found.length);
      done = end;
    }
    if (done > 0) shown = masked + shown.slice(done);
  }
}

interface DelimiterCut {
  at: number;
  length: number;
  tags: readonly string[];
  isOpening: boolean;
}

/** Makes elements of the marks of emphasis in a line, whose other markup is whole in itself by now. */
export function emphasise(state: StateInline): void {
  if (!state.src.includes('*') && !state.src.includes('~~')) return;
  const made = emphasised(state.tokens, state);
  state.tokens.length = 0;
  for (const token of made) state.tokens.push(token);
}

function emphasised(tokens: readonly Token[], state: StateInline): Token[] {
  const groups = groupLinks(tokens);
  let text = '';
  for (const group of groups) text += textOf(group);
  const pairs: Pair[] = [];
  findPairs(text, 0, 0, pairs);
  const cuts = pairs
    .flatMap(({ start, end, mark }): DelimiterCut[] => {
      const [length, names] = [mark.length, tags[mark] ?? []];
      return [
        { at: start, length, tags: names, isOpening: true },
        { at: end - length, length, tags: names.toReversed(), isOpening: false },
      ];
    })
    .sort((a, b) => a.at - b.at);
  return applyCuts(groups, cuts, state);
}

function applyCuts(groups: Token[][], cuts: readonly DelimiterCut[], state: StateInline): Token[] {
  const made: Token[] = [];
  let [next, at] = [0, 0];
  for (const group of groups) {
    const [token] = group;
    if (!token) continue;
    if (token.type !== 'text') {
      made.push(...(group.length > 1 ? emphasiseLink(group, state) : group));
      at += 1;
      continue;
    }
    const end = at + token.content.length;
    let from = at;
    for (let cut = cuts[next]; cut && cut.at < end; cut = cuts[(next += 1)]) {
      pushText(made, token.content.slice(from - at, cut.at - at), state);
      for (const tag of cut.tags)
        made.push(new state.Token(cut.isOpening ? 'open' : 'close', tag, cut.isOpening ? 1 : -1));
      from = cut.at + cut.length;
    }
    if (from === at) made.push(token);
    else pushText(made, token.content.slice(from - at), state);
    at = end;
  }
  return made;
}

function pushText(made: Token[], content: string, state: StateInline): void {
  if (content === '') return;
  const token = new state.Token('text', '', 0);
  token.content = content;
  made.push(token);
}

/** A link is one thing from without, and a line of its own within. */
const emphasiseLink = (group: Token[], state: StateInline): Token[] => [
  ...group.slice(0, 1),
  ...emphasised(group.slice(1, -1), state),
  ...group.slice(-1),
];

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
