import type { Accepted } from './judge.ts';

/** Advisories that do no harm here, each with the reason and the day until which that was looked at. */
export const accepted: readonly Accepted[] = [];
