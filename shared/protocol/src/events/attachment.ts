import { z } from 'zod';

import { Attachment } from '../objects/attachment.ts';
import { eventFamily } from './family.ts';

/** A user's uploads, and what refers to them, changed. Sent to the owner; the space is the whole realm's, in bytes. */
export const attachment = eventFamily('attachment', {
  add: { attachment: Attachment, upload_space_used: z.int() },
  update: { attachment: Attachment, upload_space_used: z.int() },
  remove: { attachment: z.strictObject({ id: z.int() }), upload_space_used: z.int() },
});
