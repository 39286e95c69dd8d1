import type { Sql } from '@parley/db';
import type { FileStore } from '@parley/files';
import { z } from 'zod';

import type { PartSummary } from '../manifest.ts';

/** What the next part begins with. */
export const Progress = z.discriminatedUnion('phase', [
  z.strictObject({ phase: z.literal('messages'), after: z.int(), part: z.int() }),
  z.strictObject({ phase: z.literal('tables'), after: z.int(), part: z.int() }),
  z.strictObject({ phase: z.literal('uploads'), after: z.int(), part: z.int() }),
  z.strictObject({ phase: z.literal('avatars'), after: z.int(), part: z.int() }),
  z.strictObject({ phase: z.literal('pictures'), part: z.int() }),
  z.strictObject({ phase: z.literal('end'), part: z.int() }),
  z.strictObject({ phase: z.literal('manifest'), end: z.int() }),
  z.strictObject({ phase: z.literal('done') }),
]);
export type Progress = z.infer<typeof Progress>;

/** The export of a realm. */
export interface ExportJob {
  sql: Sql;
  store: FileStore;
  realmId: number;
  /** 1: what is public; 2: also what is private of those who consent; 3: everything. */
  type: number;
  requestedAt: Date;
  /** About how many messages a part has. */
  messagesPerPart: number;
  now(): Date;
  /** The summaries of the finished parts, by number. */
  summaries(): AsyncIterable<{ number: number; summary: PartSummary }>;
}

export interface WrittenPart {
  number: number;
  bytes: number;
  messages: number;
  summary: PartSummary;
  /** What the part after it begins with. */
  next: Progress;
}
