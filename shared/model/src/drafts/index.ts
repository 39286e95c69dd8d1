export { assertSynchronizesDrafts, draftsState, listDrafts, presentDraft } from './state.ts';
