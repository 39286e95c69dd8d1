import type { signIn } from '@parley/actions';
import { notReady } from '@parley/protocol';
import {
  Client,
  type Entry,
  Filter,
  InvalidCredentialsError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
} from 'ldapts';

export interface LdapOptions {
  url: string;
  /** The account that searches; without one, the search is anonymous. */
  bindDn: string | undefined;
  bindPassword: string | undefined;
  /** Below which people are. */
  baseDn: string;
  /** Finds somebody: `{username}` stands for what they typed. */
  filter: string;
  emailAttribute: string;
  nameAttribute: string;
}

/** The longest time that each step takes: connecting, searching, binding. */
const timeoutMs = 3000;

/**
 * Returns whom a username and a password belong to in a directory; null if they belong to nobody.
 *
 * @throws SERVER_NOT_READY if the directory does not answer
 */
export async function findByLdap(
  options: LdapOptions,
  username: string,
  password: string,
): Promise<signIn.Identity | null> {
  // With an empty password, a directory lets in whoever has a name: as nobody.
  if (password === '' || username === '') return null;
  const { url, bindDn, bindPassword = '', emailAttribute, nameAttribute } = options;
  const client = new Client({ url, timeout: timeoutMs, connectTimeout: timeoutMs, strictDN: false });
  try {
    if (bindDn !== undefined) await client.bind(bindDn, bindPassword);
    const { searchEntries } = await client.search(options.baseDn, {
      scope: 'sub',
      filter: options.filter.replaceAll('{username}', Filter.escape(username)),
      attributes: [emailAttribute, nameAttribute],
      sizeLimit: 2,
      timeLimit: timeoutMs / 1000,
    });
    const [entry, other] = searchEntries;
    const email = entry && valueOf(entry, emailAttribute);
    // What more than one entry matches is nobody's name.
    if (!entry || other || email === undefined) return null;
    if (!(await isPasswordOf(client, entry.dn, password))) return null;
    return { email, fullName: valueOf(entry, nameAttribute) ?? '' };
  } catch (error) {
    throw Object.assign(notReady('directory'), { cause: error });
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

async function isPasswordOf(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    const isRefusal = [InvalidCredentialsError, NoSuchObjectError, InvalidDNSyntaxError].some(
      (kind) => error instanceof kind,
    );
    if (isRefusal) return false;
    throw error;
  }
}

/** The first value of an attribute; undefined if it has none. */
function valueOf(entry: Entry, attribute: string): string | undefined {
  const value = entry[attribute];
  const first = Array.isArray(value) ? value[0] : value;
  const text = first?.toString('utf8').trim();
  return text === '' ? undefined : text;
}
