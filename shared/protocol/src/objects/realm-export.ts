import { z } from 'zod';

/** What an export contains: what is public, or also what is private of the members who consent to it. */
export const exportTypes = { public: 1, standard: 2 } as const;

/** An export of the organization's data. Times are in seconds. */
export const RealmExport = z.strictObject({
  id: z.int(),
  acting_user_id: z.int(),
  /** When it was asked for. */
  export_time: z.int(),
  /** Where the archive is, while there is one. */
  export_url: z.string().nullable(),
  pending: z.boolean(),
  failed_timestamp: z.int().nullable(),
  deleted_timestamp: z.int().nullable(),
  export_type: z.literal(Object.values(exportTypes)),
});
export type RealmExport = z.infer<typeof RealmExport>;

/** Whether a member lets exports contain what is private of theirs, and who may see their email address. */
export const ExportConsent = z.strictObject({
  user_id: z.int(),
  consented: z.boolean(),
  email_address_visibility: z.int(),
});
export type ExportConsent = z.infer<typeof ExportConsent>;
