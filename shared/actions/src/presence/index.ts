export { recordActivity, record, setVisibility } from './record.ts';
