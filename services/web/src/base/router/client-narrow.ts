import type { Narrow as ClientNarrow, Term as ClientTerm, State } from '@parley/client';

import type { Narrow, Term } from './narrow.ts';

/** A number that a text begins with, as in `12-lab`. */
const idOf = (operand: string): number | null => {
  const digits = /^\d+(?=-|$)/.exec(operand)?.[0];
  return digits === undefined ? null : Number(digits);
};

/**
 * Converts a narrow to the form of the API and the client's lists, with ids of channels and people as far as they are
 * known.
 */
export const toClientNarrow = ({ terms }: Pick<Narrow, 'terms'>, state: State): ClientNarrow =>
  terms.map((term) => toClientTerm(term, state));

function toClientTerm({ operator, operand, negated }: Term, state: State): ClientTerm {
  if (operator === 'mentions') return toMention(operand, negated, state);
  const resolve = resolvers[operator];
  return { operator, operand: resolve?.(operand, state) ?? operand, ...(negated && { negated }) };
}

/** The server knows of messages that mention the reader; those that mention others are found by what stands in them. */
function toMention(operand: string, negated: boolean, state: State): ClientTerm {
  const id = person(operand, state);
  const found =
    id === state.own.user_id || id === null
      ? { operator: 'is', operand: 'mentioned' }
      : { operator: 'search', operand: `"@**${state.users.get(id)?.full_name ?? operand}"` };
  return { ...found, ...(negated && { negated }) };
}

type Resolve = (operand: string, state: State) => number | readonly number[] | null;

const person = (operand: string, { own, users }: State): number | null => {
  if (operand === 'me') return own.user_id;
  const id = idOf(operand);
  if (id !== null) return id;
  for (const { user_id, email } of users.values()) if (email === operand) return user_id;
  return null;
};

const resolvers: Readonly<Record<string, Resolve>> = {
  channel(operand, { channels }) {
    // A name may begin with a number as well: what is no channel's id is one.
    const id = idOf(operand);
    if (id !== null && channels.has(id)) return id;
    for (const { stream_id, name } of channels.values()) if (name === operand) return stream_id;
    return id;
  },
  sender: person,
  'dm-including': person,
  'group-pm-with': person,
  dm(operand, state) {
    const ids = /^\d+(?:,\d+)*(?=-|$)/.exec(operand)?.[0];
    if (ids !== undefined) return ids.split(',').map(Number);
    const named = operand.split(',').map((one) => person(one.trim(), state));
    if (operand === '') return [state.own.user_id];
    return named.every((one) => one !== null) ? named : null;
  },
  id: idOf,
  with: idOf,
};
