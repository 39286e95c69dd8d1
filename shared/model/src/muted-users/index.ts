export { mutedUsersState } from './state.ts';
