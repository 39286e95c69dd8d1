export { listDueFolderDeletions } from './due-deletions.ts';
export { emojiFolderOf, fileKinds, findScheduledDeletions, listKnownFolders } from './stored.ts';
export {
  avatarPlace,
  emojiPlace,
  exportUrl,
  importFolder,
  newExportFolder,
  newPicturePath,
  newEmojiFolder,
  newUploadPath,
  realmPicturePlace,
  uploadPlace,
  partialUploadFolder,
} from './places.ts';
