import { checkLinkifier } from '@parley/markdown';

import { refuseField } from '../complaints.ts';
import type { LinkifierRow } from './find.ts';

export interface LinkifierText {
  pattern: string;
  urlTemplate: string;
}

/** Refuses what cannot be used, and what is there already. */
export function check({ pattern, urlTemplate }: LinkifierText, others: LinkifierRow[]): void {
  if (pattern.trim() === '') throw refuseField('pattern', 'This field cannot be blank.');
  if (urlTemplate.trim() === '') throw refuseField('url_template', 'This field cannot be blank.');
  const complaint = checkLinkifier(pattern, urlTemplate);
  if (complaint) throw refuseField(complaint.field, complaint.text);
  if (others.some((other) => other.pattern === pattern)) {
    throw refuseField('__all__', 'A linkifier with this pattern already exists.');
  }
}
