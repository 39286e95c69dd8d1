import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What a signature is checked against. */
interface Signed {
  bytes: Uint8Array;
  /** The address that was called. */
  url: string;
  readonly header: (name: string) => string | undefined;
  nowMs: number;
}

/** How a product signs what it sends, by a secret that it shares with whoever receives. */
export interface Signature {
  /** The header that holds the signature. */
  header: string;
  /** What is compared, for the documentation. */
  scheme: string;
  /** Whether a delivery was signed with the secret. Takes as long for every wrong signature. */
  readonly isBy: (secret: string, signed: Signed) => boolean;
}

/** Compares texts of strangers with what they have to be, in a time that tells nothing of where they differ. */
function equals(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

interface Hmac {
  header: string;
  algorithm?: 'sha1' | 'sha256';
  encoding?: 'hex' | 'base64';
  /** What stands before the signature. */
  prefix?: string;
  /** What is signed; the body, unless it says otherwise. */
  readonly of?: (signed: Signed) => readonly (string | Uint8Array)[];
}

const hmacOf = (
  secret: string,
  parts: readonly (string | Uint8Array)[],
  { algorithm = 'sha256', encoding = 'hex' }: Pick<Hmac, 'algorithm' | 'encoding'> = {},
): string => {
  const hmac = createHmac(algorithm, secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
};

/** Checks an HMAC of the body, or of more, in a header that may hold several between commas. */
export const hmac = ({ header, prefix = '', of = ({ bytes }) => [bytes], ...how }: Hmac): Signature => ({
  header,
  scheme: `HMAC-${(how.algorithm ?? 'sha256').toUpperCase().replace('SHA', 'SHA-')}`,
  isBy(secret, signed) {
    const expected = `${prefix}${hmacOf(secret, of(signed), how)}`;
    return (signed.header(header) ?? '').split(',').some((one) => equals(one.trim(), expected));
  },
});

/** Checks the secret itself, in a header. */
export const token = (header: string): Signature => ({
  header,
  scheme: 'token',
  isBy: (secret, signed) => equals(signed.header(header) ?? '', secret),
});

const toleranceSeconds = 300;

/** The fields of a header like `t=1,v1=a,v1=b`. */
const fieldsOf = (text: string): [name: string, value: string][] =>
  text.split(',').map((field) => {
    const at = field.indexOf('=');
    return [field.slice(0, at).trim(), field.slice(at + 1).trim()];
  });

/** Checks an HMAC of the time and the body with a point between, in a header that names both; five minutes old at most. */
export const timedHmac = (header: string, names: { time: string; signature: string }): Signature => ({
  header,
  scheme: 'HMAC-SHA-256 with a time',
  isBy(secret, { bytes, header: headerOf, nowMs }) {
    const fields = fieldsOf(headerOf(header) ?? '');
    const time = fields.find(([name]) => name === names.time)?.[1] ?? '';
    if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1000 - Number(time)) > toleranceSeconds) return false;
    const expected = hmacOf(secret, [`${time}.`, bytes]);
    return fields.some(([name, value]) => name === names.signature && equals(value, expected));
  },
});

/** Checks the first of two signatures whose header a delivery has. */
export const either = (one: Signature, other: Signature): Signature => ({
  header: `${one.header}, ${other.header}`,
  scheme: `${one.scheme}, or ${other.scheme}`,
  isBy: (secret, signed) => (signed.header(one.header) === undefined ? other : one).isBy(secret, signed),
});

/** Checks a JSON Web Signature with the SHA-256 of the body in its claims, signed by HS256. */
export const bodyDigestJws = (header: string): Signature => ({
  header,
  scheme: 'JWS (HS256)',
  isBy(secret, { bytes, header: headerOf }) {
    const [head = '', claims = '', signature = '', ...more] = (headerOf(header) ?? '').split('.');
    const expected = hmacOf(secret, [`${head}.${claims}`], { encoding: 'base64' })
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
    const digest = createHash('sha256').update(bytes).digest('hex');
    return more.length === 0 && equals(signature, expected) && equals(claimOf(claims, 'sha256'), digest);
  },
});

/** A text in the claims of a JSON Web Signature; empty without one. */
function claimOf(claims: string, name: string): string {
  try {
    const value = (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}
