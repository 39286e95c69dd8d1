import type { Env, MarkdownIt, Token } from 'markdown-it';
import Parser from 'markdown-it';

import type { Atom } from './atoms.ts';
import type { Budget } from './find-all.ts';
import { type CodeSpan, findCodeSpans } from './inline/code-spans.ts';
import { type TextMatch, findMatches } from './inline/matches.ts';
import type { Options } from './options.ts';

export const envOf = (options: Options, budget: Budget): Env => ({ options, budget });
// Safe, both: only `parse` starts the parser, and it makes the environment with envOf.
export const optionsOf = (env: Env): Options => env['options'] as Options;
const budgetOf = (env: Env): Budget => env['budget'] as Budget;

const { State } = new Parser('zero').inline;

/**
 * The inline parser's state for one block, with everything that is found in one pass over its text, so that no rule
 * has to look ahead over the same text twice.
 */
export class Line extends State {
  readonly options: Options;
  readonly matches: readonly TextMatch[];
  #code: ReadonlyMap<number, CodeSpan> | undefined;
  #closers: ReadonlyMap<number, number> | undefined;

  constructor(src: string, md: MarkdownIt, env: Env, outTokens: Token[]) {
    super(src, md, env, outTokens);
    this.options = optionsOf(env);
    this.matches = findMatches(src, this.options, budgetOf(env));
  }

  pushAtom(atom: Atom): void {
    this.push('atom', '', 0).meta = { atom };
  }

  /** The first match that starts at this position or after it. */
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

  /** The position of the bracket that closes the one at this position. */
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

/** Parses what starts at the state's position and returns true, or changes nothing and returns false. */
export type InlineRule = (line: Line) => boolean;
