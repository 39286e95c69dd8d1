export { advance, begin, forget, forgetOtherIndexes, postpone } from './cursor.ts';
export { listDocuments } from './documents.ts';
export { type Step, planStep } from './plan-step.ts';
export { listUnknown } from './unknown.ts';
