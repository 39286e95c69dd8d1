import type { LinkifierRow } from '@parley/db';
import { checkLinkifier } from '@parley/markdown';
import { fieldError } from '@parley/model';

export interface LinkifierText {
  pattern: string;
  urlTemplate: string;
}

/** Refuses what cannot be used, and what is there already. */
export function assertLinkifierIsValid(
  { pattern, urlTemplate }: LinkifierText,
  others: LinkifierRow[],
): void {
  if (pattern.trim() === '') throw fieldError('pattern', 'This field cannot be blank.');
  if (urlTemplate.trim() === '') throw fieldError('url_template', 'This field cannot be blank.');
  const complaint = checkLinkifier(pattern, urlTemplate);
  if (complaint) throw fieldError(complaint.field, complaint.text);
  if (others.some((other) => other.pattern === pattern)) {
    throw fieldError('__all__', 'A linkifier with this pattern already exists.');
  }
}
