import { z } from 'zod';

import { Attachment } from '../objects/attachment.ts';
import { eventFamily } from './family.ts';

/**
 * A user's uploads, or the messages that refer to them, changed. Sent to the owner. `upload_space_used` counts bytes
 * of the whole realm.
 */
export const attachment = eventFamily('attachment', {
  add: { attachment: Attachment, upload_space_used: z.int() },
  update: { attachment: Attachment, upload_space_used: z.int() },
  remove: { attachment: z.strictObject({ id: z.int() }), upload_space_used: z.int() },
});
