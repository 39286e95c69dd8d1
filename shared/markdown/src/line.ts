import type { Env, MarkdownIt, Token } from 'markdown-it';
import Parser from 'markdown-it';

import type { Atom } from './atoms.ts';
import { type CodeSpan, findCodeSpans } from './inline/code-spans.ts';
import { type TextMatch, findMatches } from './inline/matches.ts';
import type { Options } from './options.ts';

export const envOf = (options: Options): Env => ({ options });
// Safe: parse is the only one who starts a parser, and it takes the environment from envOf.
export const optionsOf = (env: Env): Options => env['options'] as Options;

const { State } = new Parser('zero').inline;

/** The inline text of one block while it is read, with what was found in all of it at once: no rule looks ahead twice. */
export class Line extends State {
  readonly options: Options;
  readonly matches: readonly TextMatch[];
  /** Up to where it is known that no formula ends. */
  noFormulaEndsBefore = 0;
  #code: ReadonlyMap<number, CodeSpan> | undefined;
  #closers: ReadonlyMap<number, number> | undefined;

  constructor(src: string, md: MarkdownIt, env: Env, outTokens: Token[]) {
    super(src, md, env, outTokens);
    this.options = optionsOf(env);
    this.matches = findMatches(src, this.options);
  }

  pushAtom(atom: Atom): void {
    this.push('atom', '', 0).meta = { atom };
  }

  /** The first mark that starts here or further on. */
  matchFrom(pos: number): TextMatch | undefined {
    let [low, high] = [0, this.matches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.matches[middle]?.start ?? 0) < pos) low = middle + 1;
      else high = middle;
    }
    return this.matches[low];
  }

  codeAt(pos: number): CodeSpan | undefined {
    this.#code ??= findCodeSpans(this.src);
    return this.#code.get(pos);
  }

  /** Where the bracket that opens here is closed. */
  closerOf(pos: number): number | undefined {
    this.#closers ??= this.#pairBrackets();
    return this.#closers.get(pos);
  }

  #pairBrackets(): Map<number, number> {
    const closers = new Map<number, number>();
    if (!this.src.includes('](')) return closers;
    const open: number[] = [];
    for (let at = 0; at < this.src.length; at += 1) {
      const character = this.src[at];
      if (character === '`') at = (this.codeAt(at)?.end ?? at + 1) - 1;
      else if (character === '[') open.push(at);
      else if (character === ']') {
        const opener = open.pop();
        if (opener !== undefined) closers.set(opener, at);
      }
    }
    return closers;
  }
}

/** Reads what starts at the line's position, or leaves everything as it is and says no. */
export type InlineRule = (line: Line) => boolean;
