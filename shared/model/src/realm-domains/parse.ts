import { ApiError, limits } from '@parley/protocol';

import { isEmailDomain } from '../names.ts';

/**
 * Returns the form in which a domain of email addresses is stored.
 *
 * @throws BAD_REQUEST for a text that no address can end in
 */
export function parseRealmDomain(raw: string): string {
  const domain = raw.trim().toLowerCase();
  if (domain.length > limits.emailDomainLength || !isEmailDomain(domain)) {
    throw new ApiError('BAD_REQUEST', `This is not a domain: ${domain.slice(0, limits.emailDomainLength)}`);
  }
  return domain;
}
