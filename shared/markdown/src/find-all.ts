import type { RE2JS } from 're2js';

/** A match by its places in the text, with what its named groups hold. */
export interface PatternMatch {
  start: number;
  end: number;
  groups: Record<string, string>;
}

/** What may stand at a place in the text for a match to begin, or to end, there. */
export interface Edges {
  mayStart(before: string | undefined): boolean;
  mayEnd(after: string | undefined): boolean;
}

/** How many steps may still be taken; whoever runs out finds nothing. */
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
 * Finds all matches of a pattern in a text, in time that grows with the text alone. Searching again behind each match,
 * as engines do, takes the square of it where a pattern looks far ahead of where it ends: `x(.*y)?` on many `x`.
 *
 * First the text is read backwards: which instructions lead to a match from each place on. Then it is read forwards:
 * the preferred one of those that lead to a match is followed, so that no step is ever taken back. Each match is the
 * one that RE2 prefers among those that end where one may.
 */
export function createFinder(pattern: RE2JS, edges: Edges): (text: string, budget: Budget) => PatternMatch[] {
  const prog: { inst: Instruction[]; start: number; numCap: number } = pattern.re2().prog;
  const program = readProgram(prog.inst, prog.start);
  const names = Object.entries(pattern.namedGroups());
  return (text, budget) => {
    const characters = [...text];
    const leads = readBackwards(program, characters, edges, budget);
    if (!leads) return [];
    const offsets = offsetsOf(characters);
    const found: PatternMatch[] = [];
    const slots = new Int32Array(prog.numCap);
    for (let at = 0; at < characters.length; at += 1) {
      if (!leads.has(at, program.start) || !edges.mayStart(characters[at - 1])) continue;
      slots.fill(-1);
      const end = readForwards(program, leads, at, slots);
      if (end === at) continue;
      const groups = names.flatMap(([name, group]) => {
        const [from = -1, to = -1] = [slots[2 * group], slots[2 * group + 1]];
        return from < 0 || to < 0 ? [] : [[name, characters.slice(from, to).join('')]];
      });
      found.push({ start: offsets[at] ?? 0, end: offsets[end] ?? 0, groups: Object.fromEntries(groups) });
      at = end - 1;
    }
    return found;
  };
}

interface Program {
  instructions: readonly Instruction[];
  start: number;
  /** The instructions that go on to one without reading, and those that do after reading a character. */
  into: readonly (readonly number[])[];
  intoByReading: readonly (readonly number[])[];
  ends: readonly number[];
}

function readProgram(instructions: readonly Instruction[], start: number): Program {
  const into = instructions.map((): number[] => []);
  const intoByReading = instructions.map((): number[] => []);
  for (const [pc, { op, out, arg }] of instructions.entries()) {
    if (op >= ops.rune) intoByReading[out]?.push(pc);
    else if (op === ops.alt || op === ops.altMatch) for (const next of [out, arg]) into[next]?.push(pc);
    else if (op === ops.capture || op === ops.emptyWidth || op === ops.nop) into[out]?.push(pc);
  }
  const ends = instructions.flatMap(({ op }, pc) => (op === ops.match ? [pc] : []));
  return { instructions, start, into, intoByReading, ends };
}

/** Which instructions lead to a match, by place. */
interface ViableInstructions {
  has(at: number, pc: number): boolean;
}

/** Null where the budget does not reach. */
function readBackwards(
  program: Program,
  characters: readonly string[],
  edges: Edges,
  budget: Budget,
): ViableInstructions | null {
  const { instructions, into, intoByReading, ends } = program;
  const words = Math.ceil(instructions.length / 32);
  const bits = new Uint32Array(words * (characters.length + 1));
  const has = (at: number, pc: number) => (((bits[at * words + (pc >>> 5)] ?? 0) >>> (pc & 31)) & 1) === 1;
  let leading: number[] = [];
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
    for (const next of leading) {
      for (const pc of intoByReading[next] ?? []) if (consumes(instructions[pc], rune)) add(pc);
    }
    const place = assertionFlags(before?.codePointAt(0) ?? -1, rune);
    // Grows while it is walked, until nothing more leads into it.
    for (const next of here) {
      for (const pc of into[next] ?? []) if (isAssertionMet(instructions[pc], place)) add(pc);
    }
    leading = here;
    budget.steps -= 1 + here.length;
    if (budget.steps < 0) return null;
  }
  return { has };
}

/** Follows the preferred way to a match, noting what groups hold, and answers where it ends. */
function readForwards(
  { instructions, start }: Program,
  leads: ViableInstructions,
  from: number,
  slots: Int32Array,
): number {
  let at = from;
  let next = start;
  for (;;) {
    const seen = new Set<number>();
    const step = (pc: number): Instruction | null => {
      const instruction = instructions[pc];
      if (!instruction || seen.has(pc) || !leads.has(at, pc)) return null;
      seen.add(pc);
      const { op, out, arg } = instruction;
      if (op === ops.alt || op === ops.altMatch) return step(out) ?? step(arg);
      if (op === ops.nop || op === ops.emptyWidth) return step(out);
      if (op !== ops.capture) return instruction;
      const was = slots[arg] ?? -1;
      slots[arg] = at;
      const reached = step(out);
      if (!reached) slots[arg] = was;
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

/** Whether the instruction lets pass at such a place: assertions ask, all others do. */
const isAssertionMet = (instruction: Instruction | undefined, place: number) =>
  instruction?.op !== ops.emptyWidth || (instruction.arg & ~place) === 0;

/** What assertions may ask of a place, in the bits of RE2: begin and end of line, of text, edge of a word, or none. */
function assertionFlags(before: number, after: number): number {
  const line = (before < 0 || before === newline ? 1 : 0) | (after < 0 || after === newline ? 2 : 0);
  const text = (before < 0 ? 4 : 0) | (after < 0 ? 8 : 0);
  return line | text | (isWord(before) === isWord(after) ? 32 : 16);
}

const isWord = (rune: number) =>
  (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || (rune >= 97 && rune <= 122) || rune === 95;

/** Where each character begins in the text, and where the last one ends. */
function offsetsOf(characters: readonly string[]): number[] {
  const offsets = [0];
  let offset = 0;
  for (const character of characters) offsets.push((offset += character.length));
  return offsets;
}
