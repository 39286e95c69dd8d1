import type { ChannelFolderRow } from '@parley/db';
import type { ChannelFolder } from '@parley/protocol';

import { toSeconds } from '../time.ts';

export const presentChannelFolder = (folder: ChannelFolderRow): ChannelFolder => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: folder.renderedDescription,
  order: folder.position,
  date_created: toSeconds(folder.createdAt),
  creator_id: folder.creatorId,
  is_archived: folder.isArchived,
});
