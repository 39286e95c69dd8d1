import type { LinkifierRow } from '@parley/db';
import { checkLinkifier } from '@parley/markdown';
import { fieldError } from '@parley/model';

export interface LinkifierText {
  pattern: string;
  urlTemplate: string;
}

/**
 * Refuses a linkifier that cannot be used, or whose pattern another has.
 *
 * @throws BAD_REQUEST naming the field that is wrong
 */
export function assertLinkifierIsValid(
  { pattern, urlTemplate }: LinkifierText,
  others: LinkifierRow[],
): void {
  if (pattern.trim() === '') throw fieldError('pattern', 'Enter something here.');
  if (urlTemplate.trim() === '') throw fieldError('url_template', 'Enter something here.');
  const problem = checkLinkifier(pattern, urlTemplate);
  if (problem) throw fieldError(problem.field, problem.text);
  if (others.some((other) => other.pattern === pattern)) {
    throw fieldError('__all__', 'There is already a linkifier with this pattern.');
  }
}
