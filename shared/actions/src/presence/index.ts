export { isFirstActivity, recordActivity, record, setVisibility } from './record.ts';
