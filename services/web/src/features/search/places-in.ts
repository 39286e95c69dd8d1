import type { Term } from '../../base/router/narrow.ts';

/** What is searched for, and where its list begins: at a message or at a day, if one of them is named. */
interface Place {
  terms: readonly Term[];
  near: number | null;
  day: string | null;
}

/** Returns the terms that say what is shown, apart from those that say where one begins to read. */
export function placeIn(all: readonly Term[]): Place {
  const operandOf = (operator: string) => all.findLast((term) => term.operator === operator)?.operand ?? null;
  return {
    terms: all.filter(({ operator }) => operator !== 'near' && operator !== 'date'),
    near: Number(operandOf('near')) || null,
    day: operandOf('date'),
  };
}
