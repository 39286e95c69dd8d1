export { listDueFolderDeletions } from './due-deletions.ts';
export {
  avatarPlace,
  emojiPlace,
  exportUrl,
  newExportFolder,
  newPicturePath,
  newEmojiFolder,
  newUploadPath,
  realmPicturePlace,
  uploadPlace,
  partialUploadFolder,
} from './places.ts';
