import { z } from 'zod';

/** What an organization turns into links (contract: Resources, Linkifier). */
export const Linkifier = z.strictObject({ id: z.int(), pattern: z.string(), url_template: z.string() });
export type Linkifier = z.infer<typeof Linkifier>;
