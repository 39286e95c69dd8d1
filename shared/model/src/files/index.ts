export { listDueFolderDeletions } from './due-deletions.ts';
export { emojiFolderOf, fileKinds, findScheduledDeletions, listKnownFolders } from './stored.ts';
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
