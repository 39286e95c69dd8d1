export { composeDirect, composeInChannel } from './compose.ts';
export { editMessage } from './edit.ts';
