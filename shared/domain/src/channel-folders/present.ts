import type { ChannelFolder } from '@parley/protocol';

import type { FolderRow } from './find.ts';

export const presentFolder = (folder: FolderRow): ChannelFolder => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: folder.renderedDescription,
  order: folder.position,
  date_created: Math.floor(folder.createdAt.getTime() / 1000),
  creator_id: folder.creatorId,
  is_archived: folder.isArchived,
});
