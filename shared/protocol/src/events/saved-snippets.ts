import { z } from 'zod';

import { SavedSnippet } from '../objects/saved-snippet.ts';
import { eventFamily } from './family.ts';

/** A user's saved snippets changed. Sent to that user's own clients. */
export const savedSnippets = eventFamily('saved_snippets', {
  add: { saved_snippet: SavedSnippet },
  update: { saved_snippet: SavedSnippet },
  remove: { saved_snippet_id: z.int() },
});
