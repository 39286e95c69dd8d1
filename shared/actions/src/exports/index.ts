export { expire, remove } from './remove.ts';
export { type ExportLimits, request } from './request.ts';
export { type Lease, addPart, fail, finish, takeUp } from './work.ts';
