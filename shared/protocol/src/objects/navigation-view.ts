import { z } from 'zod';

/** A view that a user has pinned in the menu, or hidden there. Views that clients have by themselves have no name. */
export const NavigationView = z.strictObject({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().optional(),
});
export type NavigationView = z.infer<typeof NavigationView>;

/** The fragments of the views that clients have by themselves. */
export const builtInViews: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'scheduled',
  'reminders',
]);
