import { z } from 'zod';

/** An upload, as its owner is shown it. Times are in milliseconds. */
export const Attachment = z.strictObject({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.strictObject({ id: z.int(), date_sent: z.int() })),
});
export type Attachment = z.infer<typeof Attachment>;
