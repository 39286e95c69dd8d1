export { listChannelFolders } from './find.ts';
export { presentChannelFolder } from './present.ts';
export { channelFoldersState } from './state.ts';
