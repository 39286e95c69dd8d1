import type { Integration } from './integration.ts';
import { fenced, shorten } from './markdown.ts';

/** A longer text is not indented: a message would show its beginning alone. */
const lengthMax = 8000;

/** Shows any JSON as it is. */
export const json: Integration = {
  name: 'json',
  displayName: 'JSON',
  events: null,
  read({ payload }) {
    const text = JSON.stringify(payload);
    const shown = text.length > lengthMax ? shorten(text, lengthMax) : JSON.stringify(payload, null, 2);
    return { event: 'json', topic: 'JSON', content: fenced('json', shown).trim() };
  },
};
