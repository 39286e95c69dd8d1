import { type Tx, tables } from '@parley/db';
import { limits } from '@parley/protocol';
import { eq } from 'drizzle-orm';

/** Names that servers and mail systems use themselves, or that would pass for the server's own. */
const reserved = new Set(
  [
    'abuse about account accounts admin administrator api app apps assets auth autoconfig autodiscover billing blog cdn',
    'chat contact demo dev dns docs download email example files forum ftp git help home hostmaster imap info invalid',
    'lists local localhost login logout mail mailer media mobile mta news noreply ntp oauth oidc parley pop pop3 post',
    'postmaster press proxy queue redis register root saml security server signin signup smtp sso staff static status',
    'support system team test testing upload uploads user users webmail webmaster wiki ws www www2 xmpp',
  ].flatMap((line) => line.split(' ')),
);

/** Returns why no realm can have a name; null if it can. */
export function realmNameProblem(name: string): string | null {
  const { realmSubdomainLengthMin: min, realmSubdomainLength: max } = limits;
  if (name.length < min) return `A subdomain needs at least ${min} characters.`;
  if (name.length > max) return `A subdomain can have at most ${max} characters.`;
  if (!/^[a-z0-9-]+$/.test(name)) return 'Use only lowercase letters, digits and hyphens.';
  if (/^-|-$/.test(name)) return 'A subdomain cannot begin or end with a hyphen.';
  return reserved.has(name) ? 'This subdomain is reserved. Choose another.' : null;
}

/** Does the same as realmNameProblem, but also for a name that a realm has or had, unless it is the realm `ownId`. */
export async function takenNameProblem(tx: Tx, name: string, ownId?: number): Promise<string | null> {
  const problem = realmNameProblem(name);
  if (problem !== null) return problem;
  const { realms, formerRealmNames } = tables;
  const [present] = await tx.select({ id: realms.id }).from(realms).where(eq(realms.name, name));
  const [former] = await tx
    .select({ id: formerRealmNames.realmId })
    .from(formerRealmNames)
    .where(eq(formerRealmNames.name, name));
  const isTaken = [present, former].some((holder) => holder && holder.id !== ownId);
  return isTaken ? 'This subdomain is already in use. Choose another.' : null;
}
