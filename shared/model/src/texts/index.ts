export { type TextOptions, getTextOptions } from './options.ts';
export { parseTextIn, withTextsOutside } from './outside.ts';
export { parseText } from './parse.ts';
export { compiledLinkifiers } from './parser-options.ts';
export { pictureUrls } from './pictures.ts';
export { renderExample, renderParsedText, renderText, resolveParsedText } from './render.ts';
export { emptyText, resolveTextReferences } from './resolve.ts';
