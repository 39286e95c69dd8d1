import type { InlineRule } from '../line.ts';

/** A length that no mention or link exceeds: the longest channel and topic with their delimiters are shorter. */
const lengthMax = 300;
const boundary = /[\s'"({[/<]/;

/** The text from a position to `closing` on the same line; null if it is empty or too long. */
function upTo(src: string, from: number, closing: string, max: number): string | null {
  const text = src.slice(from, Math.min(from + lengthMax, max));
  const length = text.indexOf(closing);
  if (length < 1) return null;
  const content = text.slice(0, length);
  return content.includes('\n') ? null : content;
}

const startsFresh = (src: string, pos: number) => pos === 0 || boundary.test(src[pos - 1] ?? '');

const wildcards = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

export const mention: InlineRule = (line) => {
  const { src, pos, posMax } = line;
  if (src[pos] !== '@' || !startsFresh(src, pos)) return false;
  const silent = src[pos + 1] === '_';
  const from = pos + (silent ? 2 : 1);
  if (src[from] !== '*') return false;
  if (src[from + 1] === '*') {
    const name = upTo(src, from + 2, '**', posMax);
    if (name === null || name.includes('*')) return false;
    line.pos = from + name.length + 4;
    const source = src.slice(pos, line.pos);
    if (wildcards.has(name)) line.pushAtom({ kind: 'wildcard', word: name, silent });
    else line.pushAtom({ kind: 'user', ...readUser(name), silent, source });
    return true;
  }
  const name = upTo(src, from + 1, '*', posMax);
  if (name === null || name.trim() !== name) return false;
  line.pos = from + name.length + 2;
  line.pushAtom({ kind: 'group', name, silent, source: src.slice(pos, line.pos) });
  return true;
};

function readUser(written: string): { name: string; id: number | null } {
  const [, name = written, id] = /^(.*)\|(\d{1,10})$/.exec(written) ?? [];
  return { name, id: id === undefined ? null : Number(id) };
}

export const internalLink: InlineRule = (line) => {
  const { src, pos, posMax } = line;
  if (!src.startsWith('#**', pos) || !startsFresh(src, pos)) return false;
  const written = upTo(src, pos + 3, '**', posMax);
  if (written === null) return false;
  const at = written.indexOf('>');
  const channel = at < 0 ? written : written.slice(0, at);
  if (channel === '') return false;
  const rest = at < 0 ? null : written.slice(at + 1);
  const [, topic = rest, id] = /^(.*)@(\d{1,15})$/.exec(rest ?? '') ?? [];
  const messageId = id === undefined ? null : Number(id);
  line.pos = pos + written.length + 5;
  const source = src.slice(pos, line.pos);
  line.pushAtom({ kind: 'channel', channel, topic, messageId, source, isPlain: line.linkLevel > 0 });
  return true;
};
