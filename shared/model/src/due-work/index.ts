export { listDueWork } from './list.ts';
export { type JobAbout, findRealmOfJob } from './realm.ts';
