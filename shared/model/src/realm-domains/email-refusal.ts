import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';

import type { Rules } from '../permissions/rules.ts';
import { listRealmDomains } from './find.ts';

/**
 * Why a realm does not take an email address for an account; null if it does. Where the realm keeps to domains, the
 * address must be of one of them; elsewhere it may be of any domain that is not for throwing away.
 */
export async function emailRefusal(
  tx: Tx,
  realmId: number,
  email: string,
  { settings }: Rules,
): Promise<string | null> {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  if (settings.emails_restricted_to_domains) {
    // One mailbox has any number of such addresses.
    if (email.slice(0, at).includes('+')) return 'Email addresses containing + are not allowed.';
    const isAllowed = (await listRealmDomains(tx, realmId)).some(
      (row) => row.domain === domain || (row.allowSubdomains && domain.endsWith(`.${row.domain}`)),
    );
    return isAllowed ? null : `Email '${email}' not allowed in this organization`;
  }
  if (!settings.disallow_disposable_email_addresses || !(await isDisposable(domain))) return null;
  return 'Disposable email addresses are not allowed in this organization';
}

/** @throws BAD_REQUEST for an address that the realm does not take */
export async function assertEmailAllowed(
  tx: Tx,
  realmId: number,
  email: string,
  rules: Rules,
): Promise<void> {
  const refusal = await emailRefusal(tx, realmId, email, rules);
  if (refusal !== null) throw new ApiError('BAD_REQUEST', refusal);
}

/** Whether addresses of a domain, or of one above it, are handed out to be thrown away. */
async function isDisposable(domain: string): Promise<boolean> {
  // The list takes a megabyte, so only processes that need it load it.
  const { default: checker } = await import('mailchecker');
  const steps = domain.split('.');
  return steps.some((_, index) => checker.blacklist().has(steps.slice(index).join('.')));
}
