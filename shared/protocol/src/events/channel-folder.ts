import { z } from 'zod';

import { ChannelFolder } from '../objects/channel.ts';
import { eventFamily } from './family.ts';

const { name, description, rendered_description, is_archived } = ChannelFolder.shape;

/** Folders that channels are shown in changed. Sent to everyone in the realm. */
export const channelFolder = eventFamily('channel_folder', {
  add: { channel_folder: ChannelFolder },
  update: {
    channel_folder_id: z.int(),
    data: z.strictObject({ name, description, rendered_description, is_archived }).partial(),
  },
  reorder: { order: z.array(z.int()) },
});
