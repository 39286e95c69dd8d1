import { z } from 'zod';

import { NavigationView } from '../objects/navigation-view.ts';
import { eventFamily } from './family.ts';

const { fragment, is_pinned, name } = NavigationView.shape;

/** A user's navigation views changed. Sent to that user's own clients. */
export const navigationView = eventFamily('navigation_view', {
  add: { navigation_view: NavigationView },
  update: { fragment, data: z.strictObject({ is_pinned: is_pinned.optional(), name }) },
  remove: { fragment },
});
