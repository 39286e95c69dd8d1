import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/**
 * Returns what a URL of Postgres says about TLS, as libpq reads it. `sslmode` verify-full checks the certificate and
 * the name in it, verify-ca the certificate alone; require, prefer and allow check nothing. `sslrootcert` names the
 * file of the certificates that are trusted, by default those of the system, and `sslcert` and `sslkey` those of the
 * client.
 */
export function readTls(url: string) {
  // The client would take what it does not know for settings of the server.
  const stripped = new URL(url);
  const take = (name: string) => {
    const value = stripped.searchParams.get(name);
    stripped.searchParams.delete(name);
    return value;
  };
  const mode = stripped.searchParams.get('sslmode');
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey']
    .map(take)
    .map((file) => (file === null || file === 'system' ? undefined : readFileSync(file)));
  const isUnchecked = mode !== null && ['allow', 'prefer', 'require'].includes(mode) && !ca && !cert;
  if (mode === null || mode === 'disable' || isUnchecked) return { url: stripped.href };
  stripped.searchParams.delete('sslmode');
  // The name is checked against this one. A server that is named by its address is not asked for by a name.
  const host = stripped.hostname.replace(/^\[|\]$/g, '');
  const ssl = {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: mode === 'verify-full' || mode === 'verify-ca' || ca !== undefined,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
  return { url: stripped.href, ssl };
}
