import { changeSources } from './change-sources.ts';
import { mutations } from './mutations.ts';

/** Module loader hook: changes the text of the mutated files on their way in. */
export const load = changeSources(mutations[process.env['PARLEY_MUTATION'] ?? '']?.changes ?? []);
