import { staticHtml } from '../atoms.ts';
import { escapeHtml } from '../escape.ts';
import { formula } from '../formula.ts';
import type { InlineRule } from '../line.ts';
import { timeHtml } from '../time.ts';

/** Returns code between backticks. A run of backticks that no other run closes is text. */
export const codeSpan: InlineRule = (line) => {
  if (line.src[line.pos] !== '`') return false;
  const span = line.codeAt(line.pos);
  if (span && span.end <= line.posMax) {
    line.pushAtom(staticHtml(`<code>${escapeHtml(span.content)}</code>`, span.content));
    line.pos = span.end;
    return true;
  }
  do {
    line.pending += '`';
    line.pos += 1;
  } while (line.pos < line.posMax && line.src[line.pos] === '`');
  return true;
};

/** Two dollar signs that touch neither a word nor a third one, and a formula between them without dollar signs. */
const inlineFormula = /(?<![\p{L}\p{N}_$])\$\$((?![_$\n])(?:\\\$|[^$\n])+)\$\$(?![\p{L}\p{N}_$])/uy;

export const math: InlineRule = (line) => {
  if (!line.src.startsWith('$$', line.pos)) return false;
  inlineFormula.lastIndex = line.pos;
  const source = inlineFormula.exec(line.src)?.[1];
  if (source === undefined || inlineFormula.lastIndex > line.posMax) return false;
  line.pushAtom(staticHtml(formula(source, { isDisplay: false }) ?? texError(`$$${source}$$`), source));
  line.pos = inlineFormula.lastIndex;
  return true;
};

/** Returns a formula that cannot be typeset. */
export const texError = (source: string): string => `<span class="tex-error">${escapeHtml(source)}</span>`;

const timeLengthMax = 100;

export const time: InlineRule = (line) => {
  const { src, pos } = line;
  if (!src.startsWith('<time:', pos)) return false;
  const written = src.slice(pos + 6, Math.min(pos + 6 + timeLengthMax, line.posMax));
  const length = written.search(/[>\n]/);
  if (length < 1 || written[length] !== '>') return false;
  const text = written.slice(0, length);
  line.pushAtom(staticHtml(timeHtml(text, line.options.writtenAt), text));
  line.pos = pos + 6 + length + 1;
  return true;
};
