import { z } from 'zod';

/** The version of the archive's format. An importer refuses a version that it does not know. */
export const formatVersion = 1;
export const formatName = 'parley-archive';
export const manifestPath = 'manifest.json';
export const endPath = 'end.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A file of a part. */
export const Entry = z.strictObject({
  path: z.string().max(300),
  bytes: z.int(),
  sha256: Sha256,
  /** Rows, of a file that has rows of a table. */
  rows: z.int().optional(),
});
export type Entry = z.infer<typeof Entry>;

/** The last file of each part: what the part holds. */
export const Checksums = z.strictObject({ entries: z.array(Entry) });

/** What is known of the rows of a table. The numbers are the least and the greatest that its rows have drawn. */
export const TableSummary = z.strictObject({
  rows: z.int(),
  least: z.int().nullable(),
  greatest: z.int().nullable(),
});
export type TableSummary = z.infer<typeof TableSummary>;

/** A position in a realm's log. */
export const LogPosition = z.strictObject({ epoch: z.string(), seq: z.int() });
export type LogPosition = z.infer<typeof LogPosition>;

/** What is known of a part of the archive. */
export const PartSummary = z.strictObject({
  /** Of the file with the part's checksums. */
  sha256: Sha256,
  tables: z.record(z.string(), TableSummary),
  /** Files that the organization has and the store has not. */
  missingFiles: z.int(),
  /** Where the log was as the tables were read, of the part that has them. */
  log: LogPosition.optional(),
});
export type PartSummary = z.infer<typeof PartSummary>;

/** The first file of an archive. */
export const Manifest = z.object({
  format: z.literal(formatName),
  version: z.int(),
  type: z.enum(['public', 'standard', 'everything']),
  requested_at: z.string(),
  finished_at: z.string(),
  realm: z.strictObject({ id: z.int(), name: z.string().max(100) }),
  /** Where the realm's log was as the tables were read. */
  log: LogPosition,
  tables: z.record(z.string(), TableSummary),
  missing_files: z.int(),
  parts: z.array(z.strictObject({ number: z.int(), sha256: Sha256 })),
});
export type Manifest = z.infer<typeof Manifest>;

/** The numbers of the parts: the manifest comes first and the tables second, though they are written later. */
export const partNumbers = { manifest: 0, tables: 1, first: 2 } as const;

const padded = (number: number) => String(number).padStart(6, '0');
export const checksumsPath = (part: number) => `parts/${padded(part)}.json`;
export const dataPath = (part: number, table: string, chunk: number) =>
  `data/${padded(part)}/${table}.${padded(chunk)}.ndjson`;
export const supersededPath = `data/${padded(partNumbers.tables)}/superseded.ndjson`;
export const filePath = (key: string) => `files/${key}`;

export function addToSummary(tables: Record<string, TableSummary>, name: string, more: TableSummary): void {
  const known = tables[name];
  tables[name] = known
    ? {
        rows: known.rows + more.rows,
        least: least(known.least, more.least),
        greatest: greatest(known.greatest, more.greatest),
      }
    : more;
}

const least = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));
const greatest = (a: number | null, b: number | null) =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
