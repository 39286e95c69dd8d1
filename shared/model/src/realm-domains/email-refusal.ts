import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';

import type { Rules } from '../permissions/rules.ts';
import { listRealmDomains } from './find.ts';

/** Why a realm does not take an email address for an account; null if it does. */
export type EmailCheck = (email: string) => string | null;

/**
 * Creates the check of a realm's new email addresses. Where the realm keeps to domains, an address must be of one of
 * them; elsewhere it may be of any domain that is not for throwing away.
 */
export async function createEmailCheck(tx: Tx, realmId: number, { settings }: Rules): Promise<EmailCheck> {
  if (!settings.emails_restricted_to_domains) {
    if (!settings.disallow_disposable_email_addresses) return () => null;
    const isDisposable = await loadDisposableDomains();
    const refusal = 'This organization does not accept disposable email addresses.';
    return (email) => (isDisposable(split(email).domain) ? refusal : null);
  }
  const domains = await listRealmDomains(tx, realmId);
  return (email) => {
    const { user, domain } = split(email);
    // One mailbox has any number of such addresses.
    if (user.includes('+')) return 'This organization does not accept email addresses with a plus sign.';
    const isAllowed = domains.some(
      (row) => row.domain === domain || (row.allowSubdomains && domain.endsWith(`.${row.domain}`)),
    );
    return isAllowed
      ? null
      : `This organization does not accept the email address '${email}'. Use one of its domains.`;
  };
}

/** @throws BAD_REQUEST for an address that the realm does not take */
export async function assertEmailAllowed(
  tx: Tx,
  realmId: number,
  email: string,
  rules: Rules,
): Promise<void> {
  const refusal = (await createEmailCheck(tx, realmId, rules))(email);
  if (refusal !== null) throw new ApiError('BAD_REQUEST', refusal);
}

function split(email: string) {
  const at = email.lastIndexOf('@');
  return { user: email.slice(0, at), domain: email.slice(at + 1).toLowerCase() };
}

/** Tells whether addresses of a domain, or of one above it, are handed out to be thrown away. */
async function loadDisposableDomains(): Promise<(domain: string) => boolean> {
  // The list takes a megabyte, so only processes that need it load it.
  const { default: checker } = await import('mailchecker');
  const domains = checker.blacklist();
  return (domain) => {
    const steps = domain.split('.');
    return steps.some((_, index) => domains.has(steps.slice(index).join('.')));
  };
}
