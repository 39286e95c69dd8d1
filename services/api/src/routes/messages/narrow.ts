import type { messages } from '@parley/domain';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { form } from '../../endpoint.ts';

const operand = z.union([z.int(), z.string(), z.array(z.int())]);
const term = z.union([
  z
    .tuple([z.string(), operand])
    .transform(([operator, value]) => ({ operator, operand: value, negated: false })),
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) }),
]);

/** A narrow as clients send it: terms as objects, or as pairs in the older way. Null is none. */
export const narrow = form
  .json(z.array(term).max(limits.narrowTerms).nullable())
  .transform((terms): messages.Term[] => terms ?? []);

export function readAnchor(raw: string): messages.Anchor {
  if (raw === 'newest' || raw === 'oldest' || raw === 'first_unread') return raw;
  if (!/^-?\d{1,20}$/.test(raw)) throw new ApiError('BAD_REQUEST', 'Invalid anchor');
  return Number(raw);
}

export function checkEnds(includesAnchor: boolean, numBefore: number, numAfter: number): void {
  if (includesAnchor || numBefore === 0 || numAfter === 0) return;
  throw new ApiError('BAD_REQUEST', 'The anchor can only be excluded at an end of the range');
}
