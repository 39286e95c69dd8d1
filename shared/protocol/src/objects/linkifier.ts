import { z } from 'zod';

/** A pattern of text that an organization turns into links. */
export const Linkifier = z.strictObject({ id: z.int(), pattern: z.string(), url_template: z.string() });
export type Linkifier = z.infer<typeof Linkifier>;
