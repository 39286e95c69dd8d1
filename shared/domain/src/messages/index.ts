export * from './access.ts';
export type { Recipient } from './address.ts';
export * from './fetch.ts';
export type { Operand, Term } from './narrow.ts';
export * from './notice.ts';
export * from './plan.ts';
export * from './state.ts';
export * from './text.ts';
