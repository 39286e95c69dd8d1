export { getActiveHuman, getUserStatus, userStatusState } from './find.ts';
