export { PartSummary } from './manifest.ts';
export { type ExportJob, Progress } from './write/job.ts';
export { firstProgress, writeNextPart } from './write/next-part.ts';
export { type Imported, importArchive } from './read/import.ts';
export { exportedTables, leftOut } from './tables/index.ts';
export { columnsOf } from './schemas/index.ts';
