export { topicsOf } from './complete/suggestions.ts';
export { Compose } from './compose.tsx';
export { type FieldHandle, MarkdownField } from './markdown-field.tsx';
export { Preview } from './preview.tsx';
