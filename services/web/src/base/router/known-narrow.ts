import type { Narrow as ClientNarrow } from '@parley/client';

import type { Narrow } from './narrow.ts';

/** Operators whose operands are texts, in the form of the API as well. */
const ofTexts = new Set(['topic', 'is', 'in', 'has', 'channels', 'search']);

/**
 * Converts a narrow to the form of the API without knowing channels and people. Null where it names them otherwise than by
 * their ids, and where its list begins at a message.
 */
export function knownNarrow({ terms, near }: Narrow): ClientNarrow | null {
  if (near !== null) return null;
  const known = terms.map(({ operator, operand, negated }) => {
    const value = ofTexts.has(operator) ? operand : idsOf(operator, operand);
    return value === null ? null : { operator, operand: value, ...(negated && { negated }) };
  });
  return known.every((term) => term !== null) ? known : null;
}

function idsOf(operator: string, operand: string): number | readonly number[] | null {
  const ids = /^\d+(?:,\d+)*(?=-|$)/.exec(operand)?.[0].split(',').map(Number);
  if (operator === 'dm') return ids ?? null;
  return operator === 'channel' && ids?.length === 1 ? (ids[0] ?? null) : null;
}
