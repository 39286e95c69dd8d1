export { expire, remove } from './remove.ts';
export { type ExportLimits, request, requestEverything } from './request.ts';
export { type Lease, LeaseLost, addPart, fail, finish, renew, takeUp } from './work.ts';
