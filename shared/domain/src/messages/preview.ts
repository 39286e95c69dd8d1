import { renderPlain } from './render.ts';
import { readContent } from './text.ts';

/** What a message of this content would look like. Of none it is nothing. */
export const preview = (content: string): string =>
  content.trim() === '' ? '' : renderPlain(readContent(content));
