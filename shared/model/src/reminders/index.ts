export { presentReminder, remindersState } from './state.ts';
