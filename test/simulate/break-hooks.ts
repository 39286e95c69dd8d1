import { changeSources } from '../chaos/change-sources.ts';
import { guards } from './guards.ts';

/** Module loader hook: takes a guard out of the files on their way in. */
export const load = changeSources(guards[process.env['PARLEY_GUARD'] ?? '']?.changes ?? []);
