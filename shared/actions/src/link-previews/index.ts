export { type PageResult, forgetEmptyPreviews, savePreview } from './save.ts';
