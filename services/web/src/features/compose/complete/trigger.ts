/** What is being completed where the caret is. */
export interface Trigger {
  kind: 'person' | 'silent-person' | 'channel' | 'topic' | 'emoji' | 'command';
  /** What was typed of it. */
  query: string;
  /** Which part of the text the completion replaces. */
  start: number;
  end: number;
  /** The channel, where a topic is completed. */
  channel?: string;
}

/** The longest name that somebody types here. */
const queryMax = 60;

/** A sign begins a name at the beginning of a text or after a blank, or after a sign that opens something. */
const before = String.raw`(?:^|[\s([{"'/>])`;

const patterns: readonly (readonly [Trigger['kind'], RegExp])[] = [
  ['topic', /#\*\*(?<channel>[^*\n>]+)(?:\*\*)?>(?<query>[^*\n]*)$/],
  ['silent-person', new RegExp(String.raw`${before}(?<sign>@_)\*{0,2}(?<query>[^\n@*:]*)$`)],
  ['person', new RegExp(String.raw`${before}(?<sign>@)\*{0,2}(?<query>[^\n@*:_][^\n@*:]*|)$`)],
  ['channel', new RegExp(String.raw`${before}(?<sign>#)\*{0,2}(?<query>[^\n#*>]*)$`)],
  ['emoji', new RegExp(String.raw`${before}(?<sign>:)(?<query>[a-z0-9_+-]+)$`, 'i')],
  ['command', /^(?<sign>\/)(?<query>[a-z-]*)$/],
];

/** Returns what is completed at the caret; null for nothing. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const line = text.slice(Math.max(0, caret - 2 * queryMax), caret);
  const isWhole = caret <= 2 * queryMax;
  for (const [kind, pattern] of patterns) {
    if (kind === 'command' && !isWhole) continue;
    const found = pattern.exec(line);
    if (!found?.groups) continue;
    const { query = '', sign, channel } = found.groups;
    if (query.length > queryMax || /^\s/.test(query)) continue;
    const matched = sign === undefined ? found[0].length : found[0].length - found[0].indexOf(sign);
    return { kind, query, start: caret - matched, end: caret, ...(channel !== undefined && { channel }) };
  }
  return null;
}
