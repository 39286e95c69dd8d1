export { create } from './create.ts';
export { deliver } from './deliver.ts';
export { edit } from './edit.ts';
export { failOfDeactivatedRealms } from './fail-deactivated.ts';
export { remove, removeSent } from './remove.ts';
