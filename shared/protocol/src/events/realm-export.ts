import { z } from 'zod';

import { RealmExport } from '../objects/realm-export.ts';
import { event } from './family.ts';

/** All exports of the organization's data, after one began or ended. Sent to administrators. */
export const realmExport = event('realm_export', { exports: z.array(RealmExport) });

/** Whether somebody lets exports contain what is private of theirs. Sent to administrators. */
export const realmExportConsent = event('realm_export_consent', { user_id: z.int(), consented: z.boolean() });
