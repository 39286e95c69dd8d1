import type { RE2JS } from 're2js';

/** A match: where it starts and ends in the text, and what its named groups matched. */
export interface PatternMatch {
  start: number;
  end: number;
  groups: Record<string, string>;
}

/** Which characters may stand before a match and after it. Undefined means the edge of the text. */
export interface Edges {
  mayStart(before: string | undefined): boolean;
  readonly mayEnd: (after: string | undefined) => boolean;
}

/** The number of steps that may still be taken. When they run out, nothing more is found. */
export interface Budget {
  steps: number;
}

/** An instruction of a program that re2js has compiled. */
interface Instruction {
  op: number;
  out: number;
  arg: number;
  matchRune(rune: number): boolean;
}

const ops = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  emptyWidth: 4,
  match: 6,
  nop: 7,
  rune: 8,
  any: 10,
  anyInLine: 11,
};
const newline = 10;

/**
 * Finds all matches of a pattern in a text, in time that grows linearly with the text. Searching again after each
 * match, as regular expression engines do, takes quadratic time if a pattern looks far beyond the end of its match:
 * `x(.*y)?` on many `x`.
 *
 * First the text is read backwards, to find which instructions lead to a match from each position. Then it is read
 * forwards, always following the preferred instruction among those that lead to a match, so no step is ever undone.
 * Each match is the one that RE2 prefers among those that end where a match may end.
 */
export function createFinder(pattern: RE2JS, edges: Edges): (text: string, budget: Budget) => PatternMatch[] {
  const prog: { inst: Instruction[]; start: number; numCap: number } = pattern.re2().prog;
  const program = readProgram(prog.inst, prog.start);
  const names = Object.entries(pattern.namedGroups());
  return (text, budget) => {
    const characters = [...text];
    const viable = readBackwards(program, characters, edges, budget);
    if (!viable) return [];
    const offsets = offsetsOf(characters);
    const matches: PatternMatch[] = [];
    const slots = new Int32Array(prog.numCap);
    for (let at = 0; at < characters.length; at += 1) {
      if (!viable.has(at, program.start) || !edges.mayStart(characters[at - 1])) continue;
      slots.fill(-1);
      const end = readForwards(program, viable, at, slots);
      if (end === at) continue;
      const groups = names.flatMap(([name, group]) => {
        const [from = -1, to = -1] = [slots[2 * group], slots[2 * group + 1]];
        return from < 0 || to < 0 ? [] : [[name, characters.slice(from, to).join('')]];
      });
      matches.push({ start: offsets[at] ?? 0, end: offsets[end] ?? 0, groups: Object.fromEntries(groups) });
      at = end - 1;
    }
    return matches;
  };
}

interface Program {
  instructions: readonly Instruction[];
  start: number;
  /**
   * Predecessors of each instruction: those that continue at it without reading a character, and those that read one
   * first.
   */
  predecessors: readonly (readonly number[])[];
  readingPredecessors: readonly (readonly number[])[];
  ends: readonly number[];
}

function readProgram(instructions: readonly Instruction[], start: number): Program {
  const predecessors = instructions.map((): number[] => []);
  const readingPredecessors = instructions.map((): number[] => []);
  for (const [pc, { op, out, arg }] of instructions.entries()) {
    if (op >= ops.rune) readingPredecessors[out]?.push(pc);
    else if (op === ops.alt || op === ops.altMatch)
      for (const next of [out, arg]) predecessors[next]?.push(pc);
    else if (op === ops.capture || op === ops.emptyWidth || op === ops.nop) predecessors[out]?.push(pc);
  }
  const ends = instructions.flatMap(({ op }, pc) => (op === ops.match ? [pc] : []));
  return { instructions, start, predecessors, readingPredecessors, ends };
}

/** Which instructions lead to a match from each position. */
interface ViableInstructions {
  has(at: number, pc: number): boolean;
}

/** Returns null if the budget runs out. */
function readBackwards(
  program: Program,
  characters: readonly string[],
  edges: Edges,
  budget: Budget,
): ViableInstructions | null {
  const { instructions, predecessors, readingPredecessors, ends } = program;
  const words = Math.ceil(instructions.length / 32);
  const bits = new Uint32Array(words * (characters.length + 1));
  const has = (at: number, pc: number) => (((bits[at * words + (pc >>> 5)] ?? 0) >>> (pc & 31)) & 1) === 1;
  let nextInstructions: number[] = [];
  for (let at = characters.length; at >= 0; at -= 1) {
    const here: number[] = [];
    const add = (pc: number) => {
      if (has(at, pc)) return;
      const word = at * words + (pc >>> 5);
      bits[word] = (bits[word] ?? 0) | (1 << (pc & 31));
      here.push(pc);
    };
    const [before, after] = [characters[at - 1], characters[at]];
    if (edges.mayEnd(after)) ends.forEach(add);
    const rune = after?.codePointAt(0) ?? -1;
    for (const next of nextInstructions) {
      for (const pc of readingPredecessors[next] ?? []) if (consumes(instructions[pc], rune)) add(pc);
    }
    const place = assertionFlags(before?.codePointAt(0) ?? -1, rune);
    // The list grows while it is iterated, until no further instruction leads into it.
    for (const next of here) {
      for (const pc of predecessors[next] ?? []) if (isAssertionMet(instructions[pc], place)) add(pc);
    }
    nextInstructions = here;
    budget.steps -= 1 + here.length;
    if (budget.steps < 0) return null;
  }
  return { has };
}

/** Follows the preferred path to a match, records what the groups match, and returns where the match ends. */
function readForwards(
  { instructions, start }: Program,
  viable: ViableInstructions,
  from: number,
  slots: Int32Array,
): number {
  let at = from;
  let next = start;
  for (;;) {
    const visited = new Set<number>();
    const step = (pc: number): Instruction | null => {
      const instruction = instructions[pc];
      if (!instruction || visited.has(pc) || !viable.has(at, pc)) return null;
      visited.add(pc);
      const { op, out, arg } = instruction;
      if (op === ops.alt || op === ops.altMatch) return step(out) ?? step(arg);
      if (op === ops.nop || op === ops.emptyWidth) return step(out);
      if (op !== ops.capture) return instruction;
      const previous = slots[arg] ?? -1;
      slots[arg] = at;
      const reached = step(out);
      if (!reached) slots[arg] = previous;
      return reached;
    };
    const reached = step(next);
    if (!reached || reached.op === ops.match) return at;
    next = reached.out;
    at += 1;
  }
}

function consumes(instruction: Instruction | undefined, rune: number): boolean {
  if (!instruction || rune < 0) return false;
  if (instruction.op === ops.any) return true;
  return instruction.op === ops.anyInLine ? rune !== newline : instruction.matchRune(rune);
}

/** Whether an instruction can be passed at a position with these flags. Only assertions can fail. */
const isAssertionMet = (instruction: Instruction | undefined, place: number) =>
  instruction?.op !== ops.emptyWidth || (instruction.arg & ~place) === 0;

/**
 * The assertions that hold at a position, as RE2's flags: begin and end of a line, begin and end of the text, word
 * boundary, no word boundary.
 */
function assertionFlags(before: number, after: number): number {
  const line = (before < 0 || before === newline ? 1 : 0) | (after < 0 || after === newline ? 2 : 0);
  const text = (before < 0 ? 4 : 0) | (after < 0 ? 8 : 0);
  return line | text | (isWord(before) === isWord(after) ? 32 : 16);
}

const isWord = (rune: number) =>
  (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || (rune >= 97 && rune <= 122) || rune === 95;

/** The offset in the text at which each character starts, and the offset of the text's end. */
function offsetsOf(characters: readonly string[]): number[] {
  const offsets = [0];
  let offset = 0;
  for (const character of characters) offsets.push((offset += character.length));
  return offsets;
}
