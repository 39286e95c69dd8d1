import { z } from 'zod';

/** Where an organization tries out code of a language. */
export const Playground = z.strictObject({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
});
export type Playground = z.infer<typeof Playground>;
