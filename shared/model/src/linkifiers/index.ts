export { getCompiledLinkifiers, getLinkifier, listLinkifiers } from './find.ts';
export { linkifiersEvent } from './present.ts';
export { linkifiersState } from './state.ts';
