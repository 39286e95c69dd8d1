import type { ArchiveImportRow } from '@parley/db';
import { type ArchiveImport, ArchivePlan, ImportProgress, ImportRefusal } from '@parley/protocol';

import { toSeconds } from '../time.ts';
import type { ListedImport } from './find.ts';

/** Whether somebody has to go on with an import, or it is given up. */
const waitsForSomebody = ({ status }: ListedImport) => status === 'uploading' || status === 'planned';

/** Returns an import as owners see it in a list. */
export function presentImport(row: ListedImport): ArchiveImport {
  const { id, userId, status, endedAt } = row;
  return {
    id,
    user_id: userId,
    file_name: row.fileName,
    source: row.source,
    bytes: row.bytes,
    received: row.received,
    upload_id: status === 'uploading' ? row.uploadId : null,
    status,
    created_at: toSeconds(row.createdAt),
    ended_at: endedAt && toSeconds(endedAt),
    expires_at: waitsForSomebody(row) ? toSeconds(row.expiresAt) : null,
    progress: ImportProgress.nullable().catch(null).parse(row.progress),
    failure: row.failure,
    failure_reason: ImportRefusal.nullable().catch(null).parse(row.failureReason),
  };
}

interface InFull {
  import: ArchiveImport;
  plan: ArchivePlan | null;
  report: ArchivePlan | null;
}

/** Returns an import with its plan and its report. */
export const presentImportInFull = (row: ArchiveImportRow): InFull => ({
  import: presentImport(row),
  plan: ArchivePlan.nullable().catch(null).parse(row.plan),
  report: ArchivePlan.nullable().catch(null).parse(row.report),
});
