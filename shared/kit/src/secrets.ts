import { timingSafeEqual } from 'node:crypto';

/**
 * The secrets of a deployment: what it makes, it makes with the first, and it believes what any of them made. There are two
 * while the secret is being changed.
 */
export type Secrets = readonly [present: string, other?: string | undefined];

/** Returns the secrets that the settings name. */
export const secretsOf = (config: {
  PARLEY_SECRET: string;
  PARLEY_OTHER_SECRET?: string | undefined;
}): Secrets => [config.PARLEY_SECRET, config.PARLEY_OTHER_SECRET];

/** Returns what `made` makes of each secret, of the present one first. */
export const withEach = <Made>(
  [present, other]: Secrets,
  made: (secret: string) => Made,
): [present: Made, ...others: Made[]] =>
  other === undefined ? [made(present)] : [made(present), made(other)];

/** Returns whether a code is the one that `make` makes with one of the secrets, in a time that does not tell where they differ. */
export function isMadeWith(secrets: Secrets, code: string, make: (secret: string) => string): boolean {
  const given = Buffer.from(code);
  return withEach(secrets, make).some((made) => {
    const right = Buffer.from(made);
    return right.length === given.length && timingSafeEqual(right, given);
  });
}
