export { type NewAttachment, create } from './create.ts';
export { expire } from './expire.ts';
export { type LockedAttachments, lockReferenced } from './lock-referenced.ts';
export { type ReleasedAttachments, releaseReferences, updateReferences } from './release.ts';
export { remove } from './remove.ts';
export { assertWithinQuota, assertWithinUserQuota, type UploadQuotas } from './usage.ts';
