export { exportConsentEvent, listExportConsents } from './consents.ts';
export { findDownload, findExport, listDueExports, listExportParts, listExpiredExports } from './find.ts';
export { exportsEvent, listShownExports } from './present.ts';
export { estimateExport, type ExportSize } from './size.ts';
