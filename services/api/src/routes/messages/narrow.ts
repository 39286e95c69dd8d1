import type * as model from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { form } from '../../endpoint/endpoint.ts';

const operand = z.union([
  z.int(),
  z.string().max(limits.narrowOperandLength),
  z.array(z.int()).max(limits.narrowUsers),
]);
const term = z.union([
  z
    .tuple([z.string(), operand])
    .transform(([operator, value]) => ({ operator, operand: value, negated: false })),
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) }),
]);

/** A narrow as clients send it: each term is an object, or a pair as in older clients. Null is an empty narrow. */
export const narrow = form
  .json(z.array(term).max(limits.narrowTerms).nullable())
  .transform((terms): model.messages.NarrowTerm[] => terms ?? []);

/** Returns whether a narrow searches texts. */
export const searches = (params: { narrow: readonly model.messages.NarrowTerm[] }): boolean =>
  params.narrow.some(({ operator }) => operator === 'search');

/** Reads an anchor. Since 445, `date` means the time in the parameter `anchor_date`. */
export function readAnchor(raw: string, date?: string): model.messages.Anchor {
  if (raw === 'date') return readDate(date);
  if (raw === 'newest' || raw === 'oldest' || raw === 'first_unread') return raw;
  if (!/^-?\d{1,20}$/.test(raw))
    throw new ApiError(
      'BAD_REQUEST',
      "The anchor must be the id of a message, or 'newest', 'oldest', 'first_unread' or 'date'.",
    );
  return Number(raw);
}

export function checkEnds(includesAnchor: boolean, numBefore: number, numAfter: number): void {
  if (includesAnchor || numBefore === 0 || numAfter === 0) return;
  throw new ApiError('BAD_REQUEST', 'The anchor can be left out only at an end of the range.');
}

const iso = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true }), z.iso.date()]);

function readDate(raw: string | undefined): Date {
  if (raw === undefined) {
    throw new ApiError('REQUEST_VARIABLE_MISSING', "The parameter 'anchor_date' is missing.", {
      var_name: 'anchor_date',
    });
  }
  const read = iso.safeParse(raw);
  const at = new Date(/T.*(?:Z|[+-]\d\d:?\d\d)$/.test(raw) || !raw.includes('T') ? raw : `${raw}Z`);
  if (!read.success || Number.isNaN(at.getTime()))
    throw new ApiError('BAD_REQUEST', "'anchor_date' must be a date and time in ISO 8601.");
  return at;
}
