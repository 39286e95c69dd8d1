import { catalogue } from './catalogue.ts';
import { icu } from './texts.ts';

/** What notifications on phones say beside the message. */
export const pushText = catalogue('push', {
  hidden: 'New message',
  from: icu('{sender}:', 'sender'),
  mentioned: icu('{sender} mentioned you:', 'sender'),
});
