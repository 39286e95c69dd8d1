import type { Tx } from '@parley/db';
import { type Actor, parseEmail } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, limits } from '@parley/protocol';

/** An address that is not invited, why, and whether it is that of a deactivated account. */
export type NotInvited = [email: string, reason: string, isDeactivated: boolean];

/** The addresses in a text: between commas or lines, also as `Name <address>`. Those that differ in case are one. */
function readAddresses(text: string): string[] {
  const addresses = text
    .split(/[\n,]/)
    .map((part) => (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim())
    .filter((address) => address !== '');
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

/**
 * Returns the addresses of a text that an actor may invite, and those with accounts, which need no invitation.
 *
 * @throws BAD_REQUEST for no address, or too many
 * @throws INVITATION_FAILED for an address that is none or that the realm does not take, or if nobody is left
 */
export async function resolveInvitees(
  tx: Tx,
  { realm }: Actor,
  rules: model.permissions.Rules,
  text: string,
): Promise<{ emails: string[]; notInvited: NotInvited[] }> {
  const addresses = readAddresses(text);
  if (addresses.length === 0) {
    throw new ApiError('BAD_REQUEST', 'Enter at least one email address.');
  }
  if (addresses.length > limits.inviteesPerRequest) {
    throw new ApiError('BAD_REQUEST', `You can invite at most ${limits.inviteesPerRequest} people at once.`);
  }
  const check = await model.realmDomains.createEmailCheck(tx, realm.id, rules);
  // Only what is an address is looked for.
  const wellFormed = addresses.filter((address) => refusalOf(address) === null);
  const isKnown = new Map(
    (await model.users.listAccountsWithEmail(tx, realm.id, wellFormed)).map((account) => [
      account.email.toLowerCase(),
      account.isActive,
    ]),
  );
  const invalid: NotInvited[] = [];
  const notInvited: NotInvited[] = [];
  const emails: string[] = [];
  for (const address of addresses) {
    const refusal = refusalOf(address) ?? check(address);
    const isActive = isKnown.get(address.toLowerCase());
    if (refusal !== null) invalid.push([address, refusal, false]);
    else if (isActive === undefined) emails.push(address);
    else
      notInvited.push([address, isActive ? 'Already has an account.' : 'Account is deactivated.', !isActive]);
  }
  if (invalid.length > 0) {
    const msg = 'Nobody was invited, because some of these addresses cannot be invited.';
    throw invitationFailed(msg, [...invalid, ...notInvited]);
  }
  if (emails.length === 0) throw invitationFailed('Nobody was invited.', notInvited);
  return { emails, notInvited };
}

function refusalOf(address: string): string | null {
  try {
    parseEmail(address, 'This is not a valid email address.');
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

export const invitationFailed = (
  msg: string,
  errors: NotInvited[],
  { isSent = false, isLimitReached = false } = {},
) =>
  new ApiError('INVITATION_FAILED', msg, {
    errors,
    sent_invitations: isSent,
    license_limit_reached: false,
    daily_limit_reached: isLimitReached,
  });
