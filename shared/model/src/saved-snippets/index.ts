export { presentSavedSnippet, savedSnippetsState } from './state.ts';
