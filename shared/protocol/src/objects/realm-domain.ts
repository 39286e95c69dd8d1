import { z } from 'zod';

/** A domain that new email addresses may be of, where the organization keeps to domains. */
export const RealmDomain = z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() });
export type RealmDomain = z.infer<typeof RealmDomain>;
