import { z } from 'zod';

/** A website where members of an organization can try out code in a language. */
export const Playground = z.strictObject({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
});
export type Playground = z.infer<typeof Playground>;
