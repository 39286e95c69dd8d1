export {
  findImport,
  findImportByUpload,
  listAbandonedImports,
  listDueImports,
  listImportPieces,
  listImports,
} from './find.ts';
export { presentImport, presentImportInFull } from './present.ts';
