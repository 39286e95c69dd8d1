export { createFileStore, filesConfig } from './connect.ts';
export { createDiskStore } from './disk.ts';
export { ImageRefused } from './image.ts';
export {
  imageBytesMax,
  readImage,
  renderAvatar,
  renderEmoji,
  renderLogo,
  renderThumbnail,
} from './images.ts';
export { openInTurn } from './in-turn.ts';
export { lowerProcessPriority } from './process-priority.ts';
export type { ByteRange, FileStore } from './store.ts';
