export {
  type PresenceChange,
  type PresenceQuery,
  getPresence,
  listAddresses,
  listChanges,
  listPresences,
} from './find.ts';
export { slimPresence } from './present.ts';
export { presentState } from './state.ts';
