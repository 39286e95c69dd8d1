export { findPartialUpload, listPieces } from './find.ts';
