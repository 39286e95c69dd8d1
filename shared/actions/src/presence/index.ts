export { recordActivity, recordPresence, setVisibility } from './record.ts';
