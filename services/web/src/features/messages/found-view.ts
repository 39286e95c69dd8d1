import { signal } from '@preact/signals';

import { isBoolean, kept } from '../../base/functions/kept.ts';
import { type Order, orders } from './found-groups.ts';

/** Whether results of searches are shown by conversation, and in which order. */
export const isFoundGrouped = kept('parley-results-grouped', false, isBoolean);
export const foundOrder = kept<Order>('parley-results-order', 'newest', (stored): stored is Order =>
  orders.some((one) => one === stored),
);

/** Conversations of which all results are shown, each with the entry of the browser's history in which that was wanted. */
export const wholeGroups = signal<ReadonlySet<string>>(new Set());
