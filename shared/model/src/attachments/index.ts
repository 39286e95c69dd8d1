export { attachmentEvent, attachmentRemovedEvent } from './events.ts';
export { findAttachment } from './find.ts';
export { listOwnAttachments } from './list.ts';
export { presentAttachment } from './present.ts';
export { listReadableAttachments } from './readable.ts';
export {
  filterUnreferenced,
  listUnreferencedAttachments,
  unreferencedAttachmentCondition,
} from './unreferenced.ts';
export { toUploadPathId } from './upload-path.ts';
export { getUploadUsage } from './usage.ts';
