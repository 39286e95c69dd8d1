import { startOfDay } from '../../base/functions/days.ts';
import type { Term } from '../../base/router/narrow.ts';
import { listNames } from '../../strings/language.ts';
import { searchText } from '../../strings/search.ts';
import { operatorOf } from './operators.ts';

/** What somebody has written in the search field, as far as it is a term. */
interface ReadTerm {
  term: Term | null;
  /** Why it is none. */
  refusal?: string;
}

const pattern = /^(-?)([a-z][a-z-]*):(.*)$/s;

/**
 * One word of a search: `-is:muted` is a term with an operator, and `lunch` one of the text. Quotes join words,
 * and say that they are meant literally where they are no operand.
 */
function readTerm(word: string): ReadTerm {
  const [, minus = '', name = '', written = ''] = pattern.exec(word) ?? [];
  // What looks like an address or a time is no operator.
  if (name === '' || written.startsWith('//')) return textTerm(word);
  const operator = operatorOf(name);
  if (!operator) return { term: null, refusal: searchText.unknownOperator(name) };
  const operand = written.replace(/^"(.*)"$/s, '$1');
  if (operand === '' && operator.kind !== 'topic')
    return { term: null, refusal: searchText.missingOperand(name) };
  if (operator.choices && !operator.choices.includes(operand)) {
    return { term: null, refusal: searchText.wrongChoice(name, listNames(operator.choices)) };
  }
  if (operator.kind === 'message' && !/^\d+$/.test(operand)) {
    return { term: null, refusal: searchText.notMessageId(name) };
  }
  if (operator.kind === 'date' && startOfDay(operand) === null) {
    return { term: null, refusal: searchText.notDay(name) };
  }
  return { term: { operator: operator.name, operand, negated: minus === '-' } };
}

/** Words to search for. A hyphen before a word or a phrase leaves out what has it. */
function textTerm(word: string): ReadTerm {
  const [, excluded] = /^-(?=["\p{L}\p{N}])(.+)$/su.exec(word) ?? [];
  return { term: { operator: 'search', operand: excluded ?? word, negated: excluded !== undefined } };
}

/** The words of a search. A quoted part is of one word. */
export const wordsOf = (text: string): string[] => text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];

/** The terms of a search: words of the text are one term, as they are searched for together. */
export function readSearch(text: string): { terms: Term[]; refusals: string[] } {
  const terms: Term[] = [];
  const refusals: string[] = [];
  for (const { term, refusal } of wordsOf(text).map(readTerm)) {
    const words = terms.find(({ operator, negated }) => operator === 'search' && !negated);
    if (refusal !== undefined) refusals.push(refusal);
    else if (term?.operator === 'search' && !term.negated && words) words.operand += ` ${term.operand}`;
    else if (term) terms.push(term);
  }
  return { terms, refusals };
}
