import { catalogue } from './catalogue.ts';
import { icu } from './texts.ts';

/** What notifications on phones and in browsers say beside the message, or instead of it. */
export const pushText = catalogue('push', {
  hidden: 'New message',
  hiddenDirect: 'New direct message',
  from: icu('{sender}:', 'sender'),
  mentioned: icu('{sender} mentioned you:', 'sender'),
});
