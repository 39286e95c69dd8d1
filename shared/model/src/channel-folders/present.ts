import type { ChannelFolderRow } from '@parley/db';
import type { ChannelFolder } from '@parley/protocol';

export const presentChannelFolder = (folder: ChannelFolderRow): ChannelFolder => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: folder.renderedDescription,
  order: folder.position,
  date_created: Math.floor(folder.createdAt.getTime() / 1000),
  creator_id: folder.creatorId,
  is_archived: folder.isArchived,
});
